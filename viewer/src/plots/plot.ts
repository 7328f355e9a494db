// One plot: lines of channels over time, with the replay's cursor.

import uPlot from "uplot";
import { seriesColor } from "../colors";
import { download, downloadCanvas, fileName, make, setText } from "../dom";
import type { Run } from "../run_data";
import { formatNumber, formatQuantity, prettyUnit, scalingFor } from "../units";
import { csvText, plotPicture } from "./export";
import { fullName, makeTable, sameKey, shortName, unitOf, type SeriesKey, type Table } from "./series";

export const kDashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 2], [1, 2]];
const kMostUnits = 2;
const kClickDistance = 4;  // pixels that a click may slip
const kHeight = 156;

export interface PlotHost {
  runs: Run[];
  seek(time: number): void;
  zoomed(range: { min: number; max: number } | null): void;
  chooseChannels(plot: Plot): void;
  closed(plot: Plot): void;
  keysChanged(plot: Plot): void;
}

export class Plot {
  readonly card: HTMLElement;
  keys: SeriesKey[] = [];
  table: Table = { lines: [], columns: [new Float64Array(0)] };
  private readonly title = make("h3", { class: "plot-title" });
  private readonly legend = make("ul", { class: "legend", "aria-label": "Channels of this plot" });
  private readonly area = make("div", { class: "plot-area" });
  private readonly cursor = make("div", { class: "replay-cursor" });
  private valueCells: HTMLElement[] = [];
  private chart: uPlot | null = null;
  private dark = false;
  private zoom: { min: number; max: number } | null = null;
  private time = 0;
  private hoverIndex: number | null = null;

  constructor(private readonly host: PlotHost, title: string) {
    this.title.textContent = title;
    const button = (text: string, label: string, action: () => void) =>
      make("button", { type: "button", title: label, "aria-label": label, click: action }, text);
    this.card = make("section", { class: "plot", "aria-label": title === "" ? "Plot" : `Plot ${title}` },
      make("header", { class: "plot-header" }, this.title,
        make("span", { class: "buttons" },
          button("Channels", "Choose channels of this plot", () => host.chooseChannels(this)),
          button("PNG", "Save this plot as a picture", () => this.savePicture()),
          button("CSV", "Save the shown numbers as a table", () => this.saveTable()),
          button("✕", "Remove this plot", () => host.closed(this)))),
      this.legend, this.area);
  }

  /** Whether the channel fits onto an axis of this plot. */
  accepts(key: SeriesKey): boolean {
    const units = new Set([...this.keys, key].map((each) => unitOf(this.host.runs, each)));
    return units.size <= kMostUnits;
  }

  has(key: SeriesKey): boolean {
    return this.keys.some((each) => sameKey(each, key));
  }

  setKeys(keys: SeriesKey[]): void {
    this.keys = keys;
    this.rebuild();
    this.host.keysChanged(this);
  }

  toggle(key: SeriesKey): void {
    const others = this.keys.filter((each) => !sameKey(each, key));
    const removed = others.length < this.keys.length;
    if (!removed) this.title.textContent = "";
    this.setKeys(removed ? others : [...this.keys, key]);
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    this.rebuild();
  }

  /** New samples of a live run. */
  refresh(): void {
    this.table = makeTable(this.host.runs, this.keys);
    this.chart?.setData(this.table.columns as uPlot.AlignedData, this.zoom === null);
    this.moveCursor();
  }

  setTime(time: number, writeValues: boolean): void {
    this.time = time;
    this.moveCursor();
    if (writeValues && this.hoverIndex === null) this.writeValues(time);
  }

  setZoom(zoom: { min: number; max: number } | null): void {
    this.zoom = zoom;
    if (this.chart === null) return;
    const times = this.table.columns[0] as Float64Array;
    const [min, max] = timeRange(times[0] ?? null, times[times.length - 1] ?? null);
    this.chart.setScale("x", zoom ?? { min, max });
    this.moveCursor();
  }

  resize(): void {
    const width = this.area.clientWidth;
    if (this.chart === null || width === 0 || width === this.chart.width) return;
    this.chart.setSize({ width, height: kHeight });
    this.moveCursor();
  }

  destroy(): void {
    this.chart?.destroy();
    this.card.remove();
  }

  private rebuild(): void {
    this.chart?.destroy();
    this.chart = null;
    this.area.replaceChildren();
    this.table = makeTable(this.host.runs, this.keys);
    this.fillLegend();
    if (this.keys.length === 0) {
      this.area.append(make("p", { class: "hint" }, "No channels yet: press “Channels”."));
      return;
    }
    this.chart = new uPlot(this.chartOptions(), this.table.columns as uPlot.AlignedData, this.area);
    this.chart.over.append(this.cursor);
    this.listenForClicks(this.chart.over);
    this.setZoom(this.zoom);
    this.writeValues(this.time);
  }

  private fillLegend(): void {
    const { runs } = this.host;
    this.valueCells = [];
    this.legend.classList.toggle("of-runs", runs.length > 1);
    this.legend.replaceChildren(...this.keys.map((key, index) => {
      const values = runs.map(() => make("span", { class: "value" }));
      this.valueCells.push(...values);
      const name = this.legendName(key);
      const swatch = make("span", { class: "swatch" });
      swatch.style.background = seriesColor(index, this.dark);
      const title = `${fullName(runs, key)}\n${runs[0]?.channel(key.path)?.description ?? ""}`;
      return make("li", { title }, swatch, make("span", { class: "name" }, name), ...values,
        make("button", {
          type: "button", class: "remove", "aria-label": `Remove ${name}`,
          click: () => this.toggle(key),
        }, "×"));
    }));
  }

  /** A title like "Slip" need not be said again for each wheel. */
  private legendName(key: SeriesKey): string {
    const last = (path: string) => path.slice(path.lastIndexOf("/"));
    const words = key.path.split("/");
    const told = this.title.textContent !== "" && this.keys.length > 1 && words.length > 2 &&
      this.keys.every((each) => last(each.path) === last(key.path) && each.column === key.column);
    return told ? words.slice(1, -1).join(" ") : shortName(this.host.runs, key);
  }

  private writeValues(time: number): void {
    const { runs } = this.host;
    let cell = 0;
    for (const key of this.keys)
      for (const run of runs) {
        const channel = run.channel(key.path);
        const value = channel === undefined ? NaN : run.valueAt(channel, key.column, time);
        setText(this.valueCells[cell++]!, this.valueText(value, channel?.unit ?? ""));
      }
  }

  /** With the prefix of the axis, so that lines compare at a glance. */
  private valueText(value: number, unit: string): string {
    if (this.chart === null || !Number.isFinite(value)) return formatQuantity(value, unit);
    const scaling = this.axisScaling(this.chart, unit);
    return `${formatNumber(value * scaling.factor)}\u00a0${scaling.unit}`.trimEnd();
  }

  private chartOptions(): uPlot.Options {
    const units = [...new Set(this.table.lines.map((line) => line.unit))];
    const foreground = this.dark ? "#b8c0cc" : "#4a5260";
    const grid = { stroke: this.dark ? "#2b323c" : "#e4e8ee", width: 1 };
    const font = "11px system-ui, sans-serif";
    const axis = { stroke: foreground, font, labelFont: font, ticks: { ...grid, size: 4 } };
    return {
      width: Math.max(200, this.area.clientWidth), height: kHeight,
      legend: { show: false },
      padding: [8, units.length > 1 ? 0 : 12, 0, 0],
      pxAlign: false,
      cursor: {
        sync: { key: "grouser" }, drag: { x: true, y: false, dist: 5, setScale: false },
        points: { size: 6 },
        bind: { dblclick: () => () => { this.host.zoomed(null); return null; } },
      },
      scales: {
        x: { time: false, range: (_, low, high) => timeRange(low, high) },
        ...Object.fromEntries(units.map((unit) => [scaleKey(unit), {
          range: (_: uPlot, low: number | null, high: number | null) => valueRange(low, high),
        }])),
      },
      axes: [
        { ...axis, grid, label: "time [s]", labelSize: 16, size: 26, labelGap: 0,
          values: (_, splits) => splits.map((split) => formatNumber(split, 6)) },
        ...units.map((unit, index): uPlot.Axis => ({
          ...axis, scale: scaleKey(unit), side: index === 0 ? 3 : 1,
          grid: index === 0 ? grid : { show: false },
          label: (u) => this.axisLabel(u, unit), labelSize: 18, size: 48,
          values: (u, splits) => this.axisValues(u, unit, splits),
        })),
      ],
      series: [{}, ...this.table.lines.map((line): uPlot.Series => ({
        scale: scaleKey(line.unit), stroke: seriesColor(line.keyIndex, this.dark), width: 1.5,
        dash: kDashes[line.runIndex % kDashes.length]!, spanGaps: this.host.runs.length > 1,
        points: { show: (u) => u.data[0].length < 2, size: 6 },
      }))],
      hooks: {
        setSelect: [(u) => this.onSelect(u)],
        setCursor: [(u) => this.onHover(u)],
        setSize: [() => this.moveCursor()],
      },
    };
  }

  private axisScaling(u: uPlot, unit: string): { factor: number; unit: string } {
    const { min, max } = u.scales[scaleKey(unit)] ?? {};
    return scalingFor(Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0)), unit);
  }

  private axisLabel(u: uPlot, unit: string): string {
    const scaled = this.axisScaling(u, unit).unit;
    if (scaled !== "") return `[${scaled}]`;
    const names = new Set(this.keys.filter((key) => unitOf(this.host.runs, key) === unit)
      .map((key) => key.path.split("/").pop()!));
    return names.size === 1 ? `${[...names][0]!.replaceAll("_", " ")} [–]` : "[–]";
  }

  private axisValues(u: uPlot, unit: string, splits: number[]): string[] {
    const { factor } = this.axisScaling(u, unit);
    return splits.map((split) => formatNumber(split * factor, 5));
  }

  private onSelect(u: uPlot): void {
    const { left, width } = u.select;
    if (width <= 0) return;
    const range = { min: u.posToVal(left, "x"), max: u.posToVal(left + width, "x") };
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.host.zoomed(range);
  }

  private onHover(u: uPlot): void {
    const { left = -1, idx } = u.cursor;
    this.hoverIndex = left >= 0 && idx !== null && idx !== undefined ? idx : null;
    this.legend.classList.toggle("hovering", this.hoverIndex !== null);
    const time = this.hoverIndex === null ? this.time : this.table.columns[0]![this.hoverIndex];
    this.writeValues(time ?? this.time);
  }

  private listenForClicks(over: HTMLElement): void {
    let pressedAt = 0;
    over.addEventListener("mousedown", (event) => { pressedAt = event.clientX; });
    over.addEventListener("click", (event) => {
      if (this.chart === null || Math.abs(event.clientX - pressedAt) > kClickDistance) return;
      const left = event.clientX - over.getBoundingClientRect().left;
      this.host.seek(this.chart.posToVal(left, "x"));
    });
  }

  private moveCursor(): void {
    if (this.chart === null) return;
    const left = this.chart.valToPos(this.time, "x");
    // Not the element's width: asking for it would lay the page out in every frame.
    const inside = left >= -1 && left <= this.chart.bbox.width / devicePixelRatio + 1;
    this.cursor.style.transform = `translateX(${inside ? left : -1e4}px)`;
  }

  private lineName(index: number): string {
    const { runs } = this.host;
    const line = this.table.lines[index]!;
    const prefix = runs.length > 1 ? `${runs[line.runIndex]!.name}: ` : "";
    return prefix + fullName(runs, line.key);
  }

  private saveTable(): void {
    const names = ["time [s]", ...this.table.lines.map((_, i) => this.lineName(i))];
    const { min = -Infinity, max = Infinity } = this.chart?.scales["x"] ?? {};
    const text = csvText(names, this.table.columns, min, max);
    download(this.fileName("csv"), new Blob([text], { type: "text/csv" }));
  }

  private savePicture(): void {
    if (this.chart === null) return;
    const { runs } = this.host;
    const legend = this.table.lines.map((line) => ({
      text: (runs.length > 1 ? `${runs[line.runIndex]!.name}: ` : "") + shortName(runs, line.key),
      color: seriesColor(line.keyIndex, this.dark),
      dash: kDashes[line.runIndex % kDashes.length]!,
    }));
    const [background, foreground] = this.dark ? ["#1d2229", "#e6e9ee"] : ["#ffffff", "#1c2129"];
    downloadCanvas(this.fileName("png"),
      plotPicture(this.chart.ctx.canvas, legend, background!, foreground!));
  }

  private fileName(ending: string): string {
    const first = this.keys[0] === undefined ? "plot" : shortName(this.host.runs, this.keys[0]);
    const title = this.title.textContent || first;
    return fileName(this.host.runs[0]?.name ?? "run", title) + `.${ending}`;
  }
}

function scaleKey(unit: string): string {
  return `y ${prettyUnit(unit)}`;
}

function timeRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  return high > low ? [low, high] : [low - 0.5, low + 0.5];
}

/** A little room above and below; a constant gets a range of its own size. */
function valueRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const span = high - low;
  if (span > 1e-12 * Math.max(Math.abs(low), Math.abs(high))) return [low - 0.06 * span, high + 0.06 * span];
  const size = Math.abs(high) > 0 ? Math.abs(high) : 1;
  return [low - 0.5 * size, high + 0.5 * size];
}
