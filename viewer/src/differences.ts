// How much two runs differ, channel by channel.

import type { Channel, Run } from "./run_data";

export interface Difference {
  path: string;
  column: string;
  columnIndex: number;
  unit: string;
  greatest: number;   // absolute
  time: number;       // of the greatest
  rms: number;
  relative: number;   // greatest, divided by the range of the first run
}

/** Differences of all channels both runs have, at the first run's times that both cover. */
export function differences(first: Run, second: Run): Difference[] {
  const out: Difference[] = [];
  for (const channel of first.channels) {
    const other = second.channel(channel.path);
    if (other === undefined) continue;
    channel.columns.forEach((column, c) => {
      const otherColumn = other.columns.indexOf(column);
      if (otherColumn >= 0)
        out.push(columnDifference(first, second, channel, c, other, otherColumn));
    });
  }
  return out;
}

function columnDifference(
  first: Run, second: Run, channel: Channel, column: number, other: Channel, otherColumn: number,
): Difference {
  const a = channel.values[column]!.data;
  const b = other.values[otherColumn]!.data;
  let greatest = NaN;
  let time = NaN;
  let squares = 0;
  let count = 0;
  let low = Infinity;
  let high = -Infinity;
  let k = 0;
  for (let i = 0; i < first.samples; ++i) {
    const t = first.time.data[i]!;
    const value = a[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
    if (second.samples === 0 || t < second.start || t > second.end) continue;
    while (k + 1 < second.samples && second.time.data[k + 1]! <= t) ++k;
    const fraction = second.fractionAfter(k, t);
    const there = fraction === 0 ? b[k]! : b[k]! + fraction * (b[k + 1]! - b[k]!);
    const difference = Math.abs(value - there);
    if (Number.isNaN(difference)) continue;
    squares += difference * difference;
    ++count;
    if (!(difference <= greatest)) {
      greatest = difference;
      time = t;
    }
  }
  const range = high - low;
  return {
    path: channel.path, column: channel.columns[column]!, columnIndex: column, unit: channel.unit,
    greatest, time, rms: count > 0 ? Math.sqrt(squares / count) : NaN,
    relative: greatest === 0 ? 0 : range > 0 ? greatest / range : NaN,
  };
}
