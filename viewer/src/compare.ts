// Differences between runs as numbers: sortable, searchable, each a click from its plot.

import { differences, type Difference } from "./differences";
import { byId, make } from "./dom";
import type { SeriesKey } from "./plots/series";
import type { Run } from "./run_data";
import { formatNumber, formatQuantity } from "./units";

type Column = "path" | "greatest" | "time" | "rms" | "relative";

const kColumns: { column: Column; title: string; hint: string }[] = [
  { column: "path", title: "Channel", hint: "Click a channel to plot it" },
  { column: "greatest", title: "Greatest", hint: "Greatest absolute difference" },
  { column: "time", title: "At", hint: "Time of the greatest difference" },
  { column: "rms", title: "RMS", hint: "Root mean square of the difference" },
  { column: "relative", title: "/ range", hint: "Greatest difference, divided by the range of the channel in both runs" },
];

export class DifferencePanel {
  private readonly panel = byId("differences");
  private readonly search = make("input", {
    type: "search", placeholder: "Search channels", "aria-label": "Search channels", input: () => this.fill(),
  });
  private readonly choice = make("select", { "aria-label": "Run to compare with the first", change: () => this.compute() });
  private readonly head = make("tr");
  private readonly body = make("tbody");
  private rows: Difference[] = [];
  private sorting: { column: Column; down: boolean } = { column: "relative", down: true };
  private computed = false;

  constructor(private readonly runs: Run[], private readonly plot: (key: SeriesKey) => void,
    private readonly seek: (time: number) => void) {
    const [first, ...others] = runs;
    this.choice.append(...others.map((run, i) => make("option", { value: String(i + 1) }, run.name)));
    this.panel.append(
      make("div", { class: "difference-tools" }, make("span", {}, `${first?.name ?? ""} against`), this.choice, this.search),
      make("div", { class: "table-frame" },
        make("table", { class: "difference-table" }, make("thead", {}, this.head), this.body)),
      make("p", { class: "hint" }, "At the times of the first run that both runs cover; the other run is interpolated."));
  }

  /** Takes a moment for long runs, so it waits until somebody looks. */
  open(): void {
    if (this.computed) return;
    this.computed = true;
    this.compute();
  }

  private compute(): void {
    const other = this.runs[Number(this.choice.value)];
    this.rows = other === undefined ? [] : differences(this.runs[0]!, other);
    this.fill();
  }

  private fill(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const rows = this.rows.filter((row) => words.every((word) => nameOf(row).toLowerCase().includes(word)));
    rows.sort((a, b) => this.compare(a, b));
    this.head.replaceChildren(...kColumns.map(({ column, title, hint }) => this.headCell(column, title, hint)));
    this.body.replaceChildren(...rows.map((row) => this.row(row)));
  }

  private compare(a: Difference, b: Difference): number {
    const { column, down } = this.sorting;
    const sign = down ? -1 : 1;
    if (column === "path") return sign * nameOf(a).localeCompare(nameOf(b));
    // What has no number stays at the end.
    const [x, y] = [a[column], b[column]];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return sign * (x - y);
  }

  private headCell(column: Column, title: string, hint: string): HTMLElement {
    const { sorting } = this;
    const sorted = sorting.column === column;
    const arrow = sorted ? (sorting.down ? " ↓" : " ↑") : "";
    const cell = make("th", { scope: "col", title: hint }, make("button", { type: "button", click: () => {
      this.sorting = { column, down: sorted ? !sorting.down : column !== "path" };
      this.fill();
    } }, title + arrow));
    if (sorted) cell.setAttribute("aria-sort", sorting.down ? "descending" : "ascending");
    return cell;
  }

  private row(row: Difference): HTMLElement {
    const cells = [
      formatQuantity(row.greatest, row.unit),
      Number.isNaN(row.time) ? "–" : `${formatNumber(row.time, 5)} s`,
      formatQuantity(row.rms, row.unit),
      Number.isNaN(row.relative) ? "–" : `${formatNumber(100 * row.relative, 3)} %`,
    ];
    return make("tr", {},
      make("td", {}, make("button", { type: "button", title: "Plot this channel", click: () => {
        this.plot({ path: row.path, column: row.columnIndex });
        if (!Number.isNaN(row.time)) this.seek(row.time);
      } }, nameOf(row))),
      ...cells.map((text) => make("td", {}, text)));
  }
}

function nameOf(row: Difference): string {
  return row.column === "" ? row.path : `${row.path}.${row.column}`;
}
