// What was run, how it went, and with which parameters.

import { byId, make } from "./dom";
import type { ParameterSection, Run } from "./run_data";
import { prettyUnit } from "./units";

export function fillSummary(runs: Run[], generator: string, notDrawn: string[]): void {
  const open = new Set([...byId("summary").querySelectorAll("details[open]")].map((each) => each.id));
  byId("summary").replaceChildren(...runs.flatMap((run, index) =>
    runSummary(run, `run-${index}`, runs.length > 1, generator)));
  if (notDrawn.length > 0)
    byId("summary").append(heading("Shapes not drawn"), make("p", {}, notDrawn.join(", ")));
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
}

function heading(text: string): HTMLElement {
  return make("h2", {}, text);
}

function runSummary(run: Run, id: string, named: boolean, generator: string): HTMLElement[] {
  const { about, outcome } = run;
  const thinned = about.recordedSamples > run.samples && run.samples > 0;
  const samples = thinned ? `${run.samples} of ${about.recordedSamples} recorded` : `${run.samples}`;
  const out = [heading(named ? run.name : "Run"), facts([
    ["Scene", about.scenePath], ["Recording", about.path], ["Started", readableDate(about.startDate)],
    ["grouser", about.grouserVersion], ["Page", generator], ["Status", outcome.status],
    ["Message", outcome.message], ["Samples", samples],
    ...(about.metadata ?? []).map(([key = "", value = ""]): [string, string] => [key, value]),
  ])];
  if (outcome.warnings.length > 0)
    out.push(heading("Warnings"),
      make("ul", { class: "warnings" }, ...outcome.warnings.map((warning) => make("li", {}, warning))));
  if (outcome.summary.length > 0)
    out.push(heading("Integration"),
      facts(outcome.summary.map(([key = "", value = ""]): [string, string] => [key, value])));
  if ((about.parameters ?? []).length > 0)
    out.push(heading("Parameters"),
      ...about.parameters.map((section, i) => parameterSection(section, `${id}-section-${i}`)));
  if (about.sceneText !== "")
    out.push(heading("Scene"), make("details", { id: `${id}-scene` },
      make("summary", {}, about.scenePath || "Text"), make("pre", { tabindex: "0" }, about.sceneText)));
  return out;
}

function facts(rows: [string, string][]): HTMLElement {
  return make("table", { class: "facts" }, make("tbody", {}, ...rows.filter(([, value]) => value !== "" && value !== undefined)
    .map(([key, value]) => make("tr", {}, make("th", { scope: "row" }, key), make("td", {}, value)))));
}

function parameterSection(section: ParameterSection, id: string): HTMLElement {
  const model = section.model === "" ? []
    : [make("span", { class: "model" }, ` · model ${section.model}, see docs/models/${section.model}.md`)];
  const row = ([key = "", value = "", unit = "", meaning = ""]: string[]) =>
    make("tr", {}, make("td", {}, key), make("td", {}, unit === "" ? value : `${value} ${prettyUnit(unit)}`),
      make("td", {}, meaning));
  return make("details", { id }, make("summary", {}, section.section, ...model),
    make("table", { class: "parameters" },
      make("thead", {}, make("tr", {}, ...["Parameter", "Value", "Meaning"].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...section.rows.map(row))));
}

/** Universal time, as recorded. */
function readableDate(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(:\d\d)?).*Z$/, "$1 $2 UTC");
}
