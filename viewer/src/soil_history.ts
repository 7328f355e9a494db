// Heights of a soil grid at any sample, forwards and backwards.

import type { GrowingU32, GrowingF32 } from "./growing";

export interface SoilData {
  name: string;
  origin: [number, number];
  spacing: number;
  nx: number;
  ny: number;
  initial: Float32Array;
  offsets: GrowingU32;
  nodes: GrowingU32;
  values: GrowingF32;
}

/** Nodes ix0 to ix1, iy0 to iy1, all included; empty if ix1 < ix0. */
export interface NodeBox {
  ix0: number;
  ix1: number;
  iy0: number;
  iy1: number;
}

interface Checkpoint {
  sample: number;
  heights: Float32Array;
}

const kGreatestCheckpointBytes = 64e6;

export class SoilHistory {
  readonly heights: Float32Array;
  private sample = -1;  // changes up to this sample are in the heights
  private checkpoints: Checkpoint[] = [];
  private changesSinceCheckpoint = 0;
  private readonly changed: NodeBox = { ix0: 0, ix1: -1, iy0: 0, iy1: -1 };

  constructor(readonly data: SoilData) {
    this.heights = new Float32Array(data.initial);
  }

  /** Goes to the sample (-1: before the run) and says which nodes may have changed. */
  seek(sample: number): NodeBox {
    const last = Math.max(0, this.data.offsets.length - 1) - 1;
    const target = Math.min(sample, last);
    this.clearChanged();
    if (target < this.sample) this.goBack(target);
    while (this.sample < target) this.apply(++this.sample);
    return this.changed;
  }

  /** For a run that begins again. */
  reset(): NodeBox {
    this.checkpoints = [];
    this.changesSinceCheckpoint = 0;
    this.clearChanged();
    this.restore(this.data.initial);
    this.sample = -1;
    return this.changed;
  }

  private goBack(target: number): void {
    let from: Checkpoint = { sample: -1, heights: this.data.initial as Float32Array };
    for (const checkpoint of this.checkpoints)
      if (checkpoint.sample <= target) from = checkpoint;
    this.restore(from.heights);
    this.sample = from.sample;
  }

  private restore(heights: Float32Array): void {
    for (let node = 0; node < heights.length; ++node) {
      if (this.heights[node] === heights[node]) continue;
      this.heights[node] = heights[node]!;
      this.include(node);
    }
  }

  private apply(sample: number): void {
    const { offsets, nodes, values } = this.data;
    const first = offsets.data[sample]!;
    const end = offsets.data[sample + 1]!;
    for (let row = first; row < end; ++row) {
      const node = nodes.data[row]!;
      this.heights[node] = values.data[row]!;
      this.include(node);
    }
    this.changesSinceCheckpoint += end - first;
    this.keepCheckpoint(sample);
  }

  /** Copying all heights pays once applying the changes again would cost more. */
  private keepCheckpoint(sample: number): void {
    const newest = this.checkpoints[this.checkpoints.length - 1];
    if (newest !== undefined && newest.sample >= sample) return;
    if (this.changesSinceCheckpoint < 2 * this.heights.length) return;
    if ((this.checkpoints.length + 1) * this.heights.byteLength > kGreatestCheckpointBytes) return;
    this.checkpoints.push({ sample, heights: this.heights.slice() });
    this.changesSinceCheckpoint = 0;
  }

  private clearChanged(): void {
    this.changed.ix0 = this.data.nx;
    this.changed.ix1 = -1;
    this.changed.iy0 = this.data.ny;
    this.changed.iy1 = -1;
  }

  private include(node: number): void {
    const box = this.changed;
    const iy = Math.floor(node / this.data.nx);
    const ix = node - iy * this.data.nx;
    if (ix < box.ix0) box.ix0 = ix;
    if (ix > box.ix1) box.ix1 = ix;
    if (iy < box.iy0) box.iy0 = iy;
    if (iy > box.iy1) box.iy1 = iy;
  }
}

/** Greatest rut depth and greatest heap (both at least 0) over the whole run. */
export function rutRange(soil: SoilData): { depth: number; heap: number } {
  let depth = 0;
  let heap = 0;
  for (let row = 0; row < soil.nodes.length; ++row) {
    const rut = soil.initial[soil.nodes.data[row]!]! - soil.values.data[row]!;
    if (rut > depth) depth = rut;
    if (-rut > heap) heap = -rut;
  }
  return { depth, heap };
}
