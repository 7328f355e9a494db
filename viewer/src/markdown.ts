// Markdown as our documentation uses it: headings, paragraphs, lists, tables, code. Links and
// pictures lead out of the page and are left as their text.

import { make } from "./dom";

export function renderMarkdown(text: string): HTMLElement[] {
  const out: HTMLElement[] = [];
  const lines = text.split("\n");
  for (let i = 0; i < lines.length;) {
    const line = lines[i]!;
    const until = (stop: (line: string) => boolean): string[] => {
      const taken: string[] = [];
      while (i < lines.length && !stop(lines[i]!)) taken.push(lines[i++]!);
      return taken;
    };
    if (line.trim() === "") {
      ++i;
    } else if (line.startsWith("```")) {
      ++i;
      out.push(make("pre", { tabindex: "0" }, until((each) => each.startsWith("```")).join("\n")));
      ++i;
    } else if (/^( {4}|\t)/.test(line)) {
      out.push(make("pre", { tabindex: "0" }, until((each) => !/^( {4}|\t)/.test(each)).map((each) => each.replace(/^( {4}|\t)/, "")).join("\n")));
    } else if (/^#+ /.test(line)) {
      out.push(make(/^# /.test(line) ? "h2" : "h3", {}, ...inline(line.replace(/^#+ /, ""))));
      ++i;
    } else if (line.startsWith("|")) {
      out.push(table(until((each) => !each.startsWith("|"))));
    } else if (/^(-|\d+\.) /.test(line)) {
      const items = until((each) => !/^((-|\d+\.) |  )/.test(each)).join("\n").split(/\n(?=(?:-|\d+\.) )/);
      const item = (each: string) => make("li", {}, ...inline(each.replace(/^(-|\d+\.) /, "")));
      out.push(make(line.startsWith("-") ? "ul" : "ol", {}, ...items.map(item)));
    } else if (/^!\[.*\]\(.*\)$/.test(line) || line.startsWith("<!--")) {
      ++i;
    } else {
      const starts = (each: string) => each.trim() === "" || /^(```|#+ |\||- |\d+\. |!\[)/.test(each);
      out.push(make("p", {}, ...inline(until(starts).join(" "))));
    }
  }
  return out;
}

function table(rows: string[]): HTMLElement {
  const cells = (row: string) => row.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => cell.replace(/\\\|/g, "|").trim());
  const [head = [], , ...body] = rows.map(cells);
  return make("table", {},
    make("thead", {}, make("tr", {}, ...head.map((cell) => make("th", { scope: "col" }, ...inline(cell))))),
    make("tbody", {}, ...body.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, ...inline(cell)))))));
}

/** Code, bold and emphasis; of a link its text. */
function inline(text: string): (Node | string)[] {
  const out: (Node | string)[] = [];
  const pattern = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\([^)]*\)/g;
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    out.push(text.slice(end, match.index));
    const [, code, bold, emphasis, link] = match;
    if (code !== undefined) out.push(make("code", {}, code));
    else if (bold !== undefined) out.push(make("strong", {}, ...inline(bold)));
    else if (emphasis !== undefined) out.push(make("em", {}, emphasis));
    else out.push(...inline(link!));
    end = match.index + match[0].length;
  }
  out.push(text.slice(end));
  return out;
}
