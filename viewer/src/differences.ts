// How much two runs differ, channel by channel: the numbers of `grouser compare`.

import type { Channel, Run } from "./run_data";

export interface Difference {
  path: string;
  column: string;
  columnIndex: number;
  unit: string;
  greatest: number;   // absolute
  time: number;       // of the greatest
  rms: number;
  relative: number;   // greatest, divided by the range of the channel in both runs
}

/** Differences of all channels both runs have, at the first run's times that both cover. */
export function differences(first: Run, second: Run): Difference[] {
  const out: Difference[] = [];
  for (const channel of first.channels) {
    const other = second.channel(channel.path);
    if (other !== undefined && String(other.columns) === String(channel.columns))
      out.push(...channelDifferences(first, second, channel, other));
  }
  return out;
}

function isQuaternion(channel: Channel): boolean {
  return String(channel.columns) === "w,x,y,z";
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, x, i) => sum + x * b[i]!, 0);
}

/** Of the two quaternions of an orientation the one nearer to another. */
function nearer(quaternion: number[], to: number[]): number[] {
  return dot(quaternion, to) < 0 ? quaternion.map((x) => -x) : quaternion;
}

function row(channel: Channel, sample: number): number[] {
  return channel.values.map((column) => column.data[sample]!);
}

/** Values of a run between sample k and the next. */
function between(run: Run, channel: Channel, k: number, t: number): number[] {
  const left = row(channel, k);
  const fraction = run.fractionAfter(k, t);
  if (fraction === 0) return left;
  let right = row(channel, k + 1);
  if (isQuaternion(channel)) right = nearer(right, left);
  return left.map((x, c) => x + fraction * (right[c]! - x));
}

function channelDifferences(first: Run, second: Run, channel: Channel, other: Channel): Difference[] {
  const out = channel.columns.map((column, columnIndex): Difference => ({
    path: channel.path, column, columnIndex, unit: channel.unit,
    greatest: NaN, time: NaN, rms: 0, relative: 0,
  }));
  const counts = out.map(() => 0);
  let low = Infinity;
  let high = -Infinity;
  let k = 0;
  for (let i = 0; i < first.samples; ++i) {
    const t = first.time.data[i]!;
    if (second.samples === 0 || t < second.start || t > second.end) continue;
    while (k + 1 < second.samples && second.time.data[k + 1]! <= t) ++k;
    const here = row(channel, i);
    let there = between(second, other, k, t);
    if (isQuaternion(channel)) there = nearer(there, here);
    out.forEach((column, c) => {
      const [a, b] = [here[c]!, there[c]!];
      const apart = Math.abs(a - b);
      if (Number.isNaN(apart)) return;
      low = Math.min(low, a, b);
      high = Math.max(high, a, b);
      column.rms += apart * apart;
      counts[c]! += 1;
      if (apart <= column.greatest) return;
      column.greatest = apart;
      column.time = t;
    });
  }
  const range = high - low;
  out.forEach((column, c) => {
    column.rms = counts[c]! > 0 ? Math.sqrt(column.rms / counts[c]!) : NaN;
    column.relative = column.greatest === 0 ? 0 : range > 0 ? column.greatest / range : NaN;
  });
  return out;
}
