// All plots: one zoom, one cursor.

import { byId, make } from "../dom";
import type { Run } from "../run_data";
import { defaultPlots } from "./defaults";
import { kDashes, Plot, type PlotHost } from "./plot";
import type { SeriesKey } from "./series";
import { ChannelTree } from "./tree";

const kValueInterval = 100;  // ms between new numbers in the legends

export class PlotPanel implements PlotHost {
  plots: Plot[] = [];
  private readonly list = byId("plot-list");
  private readonly tree: ChannelTree;
  private zoom: { min: number; max: number } | null = null;
  private dark = false;
  private time = 0;
  private valuesWritten = 0;

  constructor(readonly runs: Run[], private readonly seekTo: (time: number) => void) {
    this.tree = new ChannelTree(runs, (plot, path, column) => this.toggleChannel(plot, { path, column }));
    byId("add-plot").addEventListener("click", () => this.chooseChannels(this.add("", [])));
    byId("reset-zoom").addEventListener("click", () => this.zoomed(null));
    if (runs.length > 1) this.showRunLegend();
    const first = runs[0];
    if (first !== undefined)
      for (const { title, keys } of defaultPlots(first)) this.add(title, keys);
    new ResizeObserver(() => this.plots.forEach((plot) => plot.resize())).observe(this.list);
  }

  add(title: string, keys: SeriesKey[]): Plot {
    const plot = new Plot(this, title);
    this.plots.push(plot);
    this.list.append(plot.card);
    plot.setDark(this.dark);
    plot.setKeys(keys);
    plot.setZoom(this.zoom);
    plot.setTime(this.time, true);
    return plot;
  }

  seek(time: number): void {
    this.seekTo(time);
  }

  zoomed(range: { min: number; max: number } | null): void {
    this.zoom = range;
    byId("reset-zoom").hidden = range === null;
    for (const plot of this.plots) plot.setZoom(range);
  }

  chooseChannels(plot: Plot): void {
    this.tree.open(plot);
  }

  closed(plot: Plot): void {
    this.plots = this.plots.filter((each) => each !== plot);
    plot.destroy();
  }

  keysChanged(): void {
    this.tree.update();
  }

  setTime(time: number): void {
    this.time = time;
    const now = performance.now();
    const writeValues = now - this.valuesWritten > kValueInterval;
    if (writeValues) this.valuesWritten = now;
    for (const plot of this.plots) plot.setTime(time, writeValues);
  }

  /** Numbers in the legends, once the replay has come to rest. */
  settle(): void {
    for (const plot of this.plots) plot.setTime(this.time, true);
  }

  refresh(): void {
    for (const plot of this.plots) plot.refresh();
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    for (const plot of this.plots) plot.setDark(dark);
  }

  /** A channel whose unit would need a third axis goes into a plot of its own. */
  private toggleChannel(plot: Plot, key: SeriesKey): Plot {
    if (plot.has(key) || plot.accepts(key)) {
      plot.toggle(key);
      return plot;
    }
    return this.add("", [key]);
  }

  private showRunLegend(): void {
    const legend = byId("run-legend");
    legend.hidden = false;
    legend.replaceChildren(...this.runs.map((run, index) =>
      make("li", {}, dashSample(kDashes[index % kDashes.length]!), run.name)));
  }
}

function dashSample(dash: number[]): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  svg.setAttribute("width", "34");
  svg.setAttribute("height", "8");
  svg.setAttribute("aria-hidden", "true");
  for (const [name, value] of Object.entries({ x1: "0", x2: "34", y1: "4", y2: "4" }))
    line.setAttribute(name, value);
  line.setAttribute("stroke", "currentColor");
  line.setAttribute("stroke-width", "2");
  line.setAttribute("stroke-dasharray", dash.join(" "));
  svg.append(line);
  return svg;
}
