// What was run, how it went, and with which parameters.

import { byId, make } from "./dom";
import { renderMarkdown } from "./markdown";
import type { PageHeader, ParameterSection, Run } from "./run_data";
import { prettyUnit } from "./units";

export function fillSummary(runs: Run[], header: PageHeader, notDrawn: string[]): void {
  const open = new Set([...byId("summary").querySelectorAll("details[open]")].map((each) => each.id));
  byId("summary").replaceChildren(...runs.flatMap((run, index) =>
    runSummary(run, `run-${index}`, runs.length > 1, header)));
  if (notDrawn.length > 0)
    byId("summary").append(heading("Shapes not drawn"), make("p", {}, notDrawn.join(", ")));
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
}

function heading(text: string): HTMLElement {
  return make("h2", {}, text);
}

function runSummary(run: Run, id: string, named: boolean, header: PageHeader): HTMLElement[] {
  const { about, outcome } = run;
  const thinned = about.recordedSamples > run.samples && run.samples > 0;
  const samples = thinned ? `${run.samples} of ${about.recordedSamples} recorded` : `${run.samples}`;
  const out = [heading(named ? run.name : "Run"), facts([
    ["Scene", about.scenePath], ["Recording", about.path], ["Started", readableDate(about.startDate)],
    ["grouser", about.grouserVersion], ["Page", header.generator], ["Status", outcome.status],
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
      ...about.parameters.map((section, i) => parameterSection(section, `${id}-section-${i}`, header.modelPages?.[section.model])));
  if (about.sceneText !== "")
    out.push(heading("Scene"), make("details", { id: `${id}-scene` },
      make("summary", {}, about.scenePath || "Text"), make("pre", { tabindex: "0" }, about.sceneText)));
  return out;
}

function facts(rows: [string, string][]): HTMLElement {
  return make("table", { class: "facts" }, make("tbody", {}, ...rows.filter(([, value]) => value !== "" && value !== undefined)
    .map(([key, value]) => make("tr", {}, make("th", { scope: "row" }, key), make("td", {}, value)))));
}

function parameterSection(section: ParameterSection, id: string, page: string | undefined): HTMLElement {
  const model = section.model === "" ? []
    : [make("span", { class: "model" }, " · model ", modelName(section.model, page))];
  const row = ([key = "", value = "", unit = "", meaning = ""]: string[]) =>
    make("tr", {}, make("td", {}, key), make("td", {}, unit === "" ? value : `${value} ${prettyUnit(unit)}`),
      make("td", {}, meaning));
  return make("details", { id }, make("summary", {}, section.section, ...model),
    make("table", { class: "parameters" },
      make("thead", {}, make("tr", {}, ...["Parameter", "Value", "Meaning"].map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...section.rows.map(row))));
}

/** Leads to the documentation of the model, which the page carries. */
function modelName(model: string, page: string | undefined): HTMLElement | string {
  if (page === undefined) return model;
  return make("button", { type: "button", class: "link", click: (event) => {
    event.preventDefault();  // does not open or close the section
    byId("model-text").replaceChildren(...renderMarkdown(page));
    byId<HTMLDialogElement>("model-dialog").showModal();
  } }, model);
}

/** Universal time, as recorded. */
function readableDate(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(:\d\d)?).*Z$/, "$1 $2 UTC");
}
