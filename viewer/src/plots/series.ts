// What a plot shows: columns of channels, of one run or of several on one time axis.

import type { Run } from "../run_data";
import { prettyUnit } from "../units";

export interface SeriesKey {
  path: string;
  column: number;
}

export interface Line {
  key: SeriesKey;
  keyIndex: number;  // gives the colour
  runIndex: number;  // gives the dashes
  unit: string;
}

export type PlotColumn = Float64Array | Float32Array | (number | null)[];

export interface Table {
  lines: Line[];
  columns: PlotColumn[];  // the first one is time
}

export function sameKey(a: SeriesKey, b: SeriesKey): boolean {
  return a.path === b.path && a.column === b.column;
}

export function unitOf(runs: Run[], key: SeriesKey): string {
  for (const run of runs) {
    const channel = run.channel(key.path);
    if (channel !== undefined) return channel.unit;
  }
  return "";
}

export function columnName(runs: Run[], key: SeriesKey): string {
  for (const run of runs) {
    const channel = run.channel(key.path);
    if (channel !== undefined) return channel.columns[key.column] ?? "";
  }
  return "";
}

/** `bodies/ball/position` and z: "ball position z". */
export function shortName(runs: Run[], key: SeriesKey): string {
  const words = key.path.split("/");
  const kept = words.length > 1 ? words.slice(1) : words;
  kept.push(kept.pop()!.replaceAll("_", " "));
  return [...kept, columnName(runs, key)].filter((word) => word !== "").join(" ");
}

/** As in exported tables: `bodies/ball/position.z [m]`. */
export function fullName(runs: Run[], key: SeriesKey): string {
  const column = columnName(runs, key);
  const unit = prettyUnit(unitOf(runs, key));
  return key.path + (column === "" ? "" : `.${column}`) + (unit === "" ? "" : ` [${unit}]`);
}

/** Runs with other times get gaps, which the plot draws lines across. */
export function makeTable(runs: Run[], keys: SeriesKey[]): Table {
  const lines: Line[] = [];
  keys.forEach((key, keyIndex) => runs.forEach((run, runIndex) => {
    if (run.channel(key.path)?.values[key.column] !== undefined)
      lines.push({ key, keyIndex, runIndex, unit: run.channel(key.path)!.unit });
  }));
  const used = [...new Set(lines.map((line) => line.runIndex))];
  const shared = used.every((index) => sameTimes(runs[used[0]!]!, runs[index]!));
  const times = shared ? (runs[used[0] ?? 0]?.time.view() ?? new Float64Array(0)) : allTimes(runs, used);
  const columns = lines.map((line) => {
    const run = runs[line.runIndex]!;
    const values = run.channel(line.key.path)!.values[line.key.column]!.view();
    return shared ? withoutNan(values) : spread(run.time.view(), values, times);
  });
  return { lines, columns: [times, ...columns] };
}

function sameTimes(a: Run, b: Run): boolean {
  if (a === b) return true;
  if (a.samples !== b.samples) return false;
  for (let i = 0; i < a.samples; ++i) if (a.time.data[i] !== b.time.data[i]) return false;
  return true;
}

function allTimes(runs: Run[], indices: number[]): Float64Array {
  const all = new Set<number>();
  for (const index of indices) for (const time of runs[index]!.time.view()) all.add(time);
  return Float64Array.from(all).sort();
}

function spread(own: Float64Array, values: Float32Array, times: Float64Array): (number | null)[] {
  const out: (number | null)[] = new Array<number | null>(times.length).fill(null);
  for (let i = 0, k = 0; i < own.length; ++k)
    if (times[k] === own[i]) {
      out[k] = Number.isFinite(values[i]!) ? values[i]! : null;
      ++i;
    }
  return out;
}

/** The plot takes null for a gap, not NaN; without any the numbers need no copy. */
function withoutNan(values: Float32Array): Float32Array | (number | null)[] {
  if (values.every(Number.isFinite)) return values;
  return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}
