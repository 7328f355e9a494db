// A run as the page holds it: typed, indexed, and able to grow while the run goes on.

import type { Container, Reference } from "./container";
import {
  growingF32, growingF64, growingU32, type GrowingF32, type GrowingF64, type GrowingU32,
} from "./growing";
import type { SoilData } from "./soil_history";

export interface ParameterSection {
  section: string;
  model: string;
  rows: string[][];
}

interface RunHeader {
  name: string;
  path: string;
  scenePath: string;
  sceneText: string;
  grouserVersion: string;
  startDate: string;
  status: string;
  message: string;
  summary: string[][];
  warnings: string[];
  metadata: string[][];
  parameters: ParameterSection[];
  recordedSamples: number;
  samples: number;
  time: Reference;
  channels: { path: string; unit: string; columns: string[]; description: string; data: Reference }[];
  shapes: {
    name: string; body: string; kind: string; numbers: [string, number][];
    vertices?: Reference; triangles?: Reference;
  }[];
  patches: {
    path: string; columns: string[]; units: string[]; description: string;
    frames: Reference; offsets: Reference; data: Reference;
  }[];
  soils: {
    name: string; origin: [number, number]; spacing: number; nx: number; ny: number;
    heights: Reference; offsets: Reference; nodes: Reference; values: Reference;
  }[];
}

export interface PageHeader {
  kind: "report" | "compare" | "live";
  generator: string;
  modelPages?: Record<string, string>;
  runs: RunHeader[];
}

export interface SamplesHeader {
  first: number;
  count: number;
  time: Reference;
  values: Reference;
  patches?: { offsets: Reference; data: Reference }[];
  soils?: { offsets: Reference; nodes: Reference; values: Reference }[];
}

export interface Channel {
  path: string;
  unit: string;
  columns: string[];
  description: string;
  values: GrowingF32[];  // one list per column
}

export interface Shape {
  name: string;
  body: string;
  kind: string;
  numbers: Map<string, number>;
  vertices: Float32Array<ArrayBuffer> | null;
  triangles: Uint32Array<ArrayBuffer> | null;
}

export interface Patches {
  path: string;
  contact: string;
  description: string;
  columns: string[];
  units: string[];
  frames: GrowingU32;
  offsets: GrowingU32;
  values: GrowingF32[];
}

export interface Body {
  name: string;
  position: Channel;
  orientation: Channel | null;
}

export interface Pose {
  position: [number, number, number];
  orientation: [number, number, number, number];  // w x y z
}

export function identityPose(): Pose {
  return { position: [0, 0, 0], orientation: [1, 0, 0, 0] };
}

export interface Outcome {
  status: string;
  message: string;
  summary: string[][];
  warnings: string[];
}

/** Last index with times[index] <= time, or 0 before the first. */
export function indexAtOrBefore(times: ArrayLike<number>, count: number, time: number): number {
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  return low;
}

export class Run {
  readonly bodies: Body[] = [];
  private readonly channelOf = new Map<string, Channel>();

  constructor(
    readonly name: string,
    readonly about: RunHeader,
    public outcome: Outcome,
    readonly time: GrowingF64,
    readonly channels: Channel[],
    readonly shapes: Shape[],
    readonly patches: Patches[],
    readonly soils: SoilData[],
  ) {
    for (const channel of channels) this.channelOf.set(channel.path, channel);
    for (const channel of channels) this.addBody(channel);
  }

  get samples(): number {
    return this.time.length;
  }
  get start(): number {
    return this.samples > 0 ? this.time.data[0]! : 0;
  }
  get end(): number {
    return this.time.last();
  }

  channel(path: string): Channel | undefined {
    return this.channelOf.get(path);
  }

  body(name: string): Body | undefined {
    return this.bodies.find((body) => body.name === name);
  }

  /** Sample at or before the time; -1 without samples. */
  sampleAt(time: number): number {
    // A time written with fewer digits than its sample's still means that sample.
    const rounding = 1e-12 * Math.max(1, Math.abs(time));
    return this.samples === 0 ? -1 : indexAtOrBefore(this.time.data, this.samples, time + rounding);
  }

  /** How far the time is from a sample to the next one, 0 to 1. */
  fractionAfter(sample: number, time: number): number {
    if (sample < 0 || sample + 1 >= this.samples) return 0;
    const t0 = this.time.data[sample]!;
    const t1 = this.time.data[sample + 1]!;
    return t1 > t0 ? Math.min(1, Math.max(0, (time - t0) / (t1 - t0))) : 0;
  }

  valueAt(channel: Channel, column: number, time: number): number {
    const sample = this.sampleAt(time);
    const values = channel.values[column];
    if (sample < 0 || values === undefined) return NaN;
    return mixed(values.data, sample, this.fractionAfter(sample, time));
  }

  poseAt(body: Body, sample: number, fraction: number, out: Pose): void {
    for (let i = 0; i < 3; ++i)
      out.position[i] = mixed(body.position.values[i]!.data, sample, fraction);
    if (body.orientation !== null)
      mixQuaternions(body.orientation.values, sample, fraction, out.orientation);
  }

  /** Samples of a live run; what was there from `first` on is replaced. */
  async append(container: Container<SamplesHeader>): Promise<void> {
    const { first, count, time, values, patches = [], soils = [] } = container.header;
    if (first > this.samples)
      throw new Error(`samples from ${first} on, but only ${this.samples} came before`);
    const [newTime, newValues] = await Promise.all([container.f64(time), container.f32(values)]);
    const newPatches = await Promise.all(patches.map(async (patch) => ({
      offsets: await container.u32(patch.offsets), data: await container.f32(patch.data),
    })));
    const newSoils = await Promise.all(soils.map(async (soil) => ({
      offsets: await container.u32(soil.offsets), nodes: await container.u32(soil.nodes),
      values: await container.f32(soil.values),
    })));
    this.truncate(first);
    this.appendChannels(newValues, count);
    newPatches.forEach((patch, i) => appendPatch(this.patches[i]!, first, patch.offsets, patch.data));
    newSoils.forEach((soil, i) => appendSoil(this.soils[i]!, soil.offsets, soil.nodes, soil.values));
    this.time.append(newTime);
  }

  truncate(samples: number): void {
    this.time.truncate(samples);
    for (const channel of this.channels)
      for (const values of channel.values) values.truncate(samples);
    for (const patch of this.patches) truncatePatch(patch, samples);
    for (const soil of this.soils) {
      soil.offsets.truncate(samples + 1);
      soil.nodes.truncate(soil.offsets.last());
      soil.values.truncate(soil.offsets.last());
    }
  }

  private appendChannels(values: Float32Array<ArrayBuffer>, count: number): void {
    let row = 0;
    for (const channel of this.channels)
      for (const column of channel.values) {
        column.append(values.subarray(row * count, (row + 1) * count));
        ++row;
      }
  }

  private addBody(channel: Channel): void {
    const match = /^bodies\/(.+)\/position$/.exec(channel.path);
    if (match === null || channel.values.length < 3) return;
    const orientation = this.channel(`bodies/${match[1]}/orientation`) ?? null;
    const complete = orientation !== null && orientation.values.length >= 4;
    this.bodies.push({ name: match[1]!, position: channel, orientation: complete ? orientation : null });
  }
}

function mixed(values: Float32Array, sample: number, fraction: number): number {
  const a = values[sample]!;
  return fraction === 0 ? a : a + fraction * (values[sample + 1]! - a);
}

/** Normalised linear interpolation along the shorter way. */
function mixQuaternions(
  columns: GrowingF32[], sample: number, fraction: number, out: [number, number, number, number],
): void {
  let dot = 0;
  if (fraction > 0)
    for (let i = 0; i < 4; ++i) dot += columns[i]!.data[sample]! * columns[i]!.data[sample + 1]!;
  const sign = dot < 0 ? -1 : 1;
  let squares = 0;
  for (let i = 0; i < 4; ++i) {
    const a = columns[i]!.data[sample]!;
    const b = fraction > 0 ? sign * columns[i]!.data[sample + 1]! : a;
    out[i] = a + fraction * (b - a);
    squares += out[i]! * out[i]!;
  }
  const norm = Math.sqrt(squares);
  if (!(norm > 0)) {
    out[0] = 1;
    out[1] = out[2] = out[3] = 0;
    return;
  }
  for (let i = 0; i < 4; ++i) out[i]! /= norm;
}

function truncatePatch(patch: Patches, samples: number): void {
  let frames = patch.frames.length;
  while (frames > 0 && patch.frames.data[frames - 1]! >= samples) --frames;
  patch.frames.truncate(frames);
  patch.offsets.truncate(frames + 1);
  for (const values of patch.values) values.truncate(patch.offsets.last());
}

/** Offsets of a batch begin at zero; they continue those that are there. */
function appendOffsets(offsets: GrowingU32, batch: Uint32Array<ArrayBuffer>): void {
  if (offsets.length === 0) offsets.append(Uint32Array.of(0));
  const base = offsets.last() - (batch[0] ?? 0);
  offsets.append(batch.subarray(1).map((offset) => offset + base));
}

function appendPatch(
  patch: Patches, first: number, offsets: Uint32Array<ArrayBuffer>, data: Float32Array<ArrayBuffer>,
): void {
  patch.frames.append(Uint32Array.from({ length: offsets.length - 1 }, (_, i) => first + i));
  appendOffsets(patch.offsets, offsets);
  const rows = data.length / patch.values.length;
  patch.values.forEach((values, c) => values.append(data.subarray(c * rows, (c + 1) * rows)));
}

function appendSoil(
  soil: SoilData, offsets: Uint32Array<ArrayBuffer>, nodes: Uint32Array<ArrayBuffer>,
  values: Float32Array<ArrayBuffer>,
): void {
  appendOffsets(soil.offsets, offsets);
  soil.nodes.append(nodes);
  soil.values.append(values);
}

function splitColumns(data: Float32Array<ArrayBuffer>, columns: number): GrowingF32[] {
  const rows = columns > 0 ? data.length / columns : 0;
  return Array.from({ length: columns }, (_, c) => growingF32(data.subarray(c * rows, (c + 1) * rows)));
}

export async function readRun(container: Container<PageHeader>, header: RunHeader): Promise<Run> {
  const [time, channels, shapes, patches, soils] = await Promise.all([
    container.f64(header.time),
    Promise.all((header.channels ?? []).map(async (channel): Promise<Channel> => ({
      path: channel.path, unit: channel.unit, columns: channel.columns,
      description: channel.description,
      values: splitColumns(await container.f32(channel.data), channel.columns.length),
    }))),
    Promise.all((header.shapes ?? []).map(async (shape): Promise<Shape> => ({
      name: shape.name, body: shape.body, kind: shape.kind, numbers: new Map(shape.numbers ?? []),
      vertices: shape.vertices ? await container.f32(shape.vertices) : null,
      triangles: shape.triangles ? await container.u32(shape.triangles) : null,
    }))),
    Promise.all((header.patches ?? []).map(async (patch): Promise<Patches> => ({
      path: patch.path, contact: patch.path.replace(/^contacts\/(.*)\/elements$/, "$1"),
      description: patch.description, columns: patch.columns, units: patch.units,
      frames: growingU32(await container.u32(patch.frames)),
      offsets: growingU32(await container.u32(patch.offsets)),
      values: splitColumns(await container.f32(patch.data), patch.columns.length),
    }))),
    Promise.all((header.soils ?? []).map(async (soil): Promise<SoilData> => ({
      name: soil.name, origin: soil.origin, spacing: soil.spacing, nx: soil.nx, ny: soil.ny,
      initial: await container.f32(soil.heights),
      offsets: growingU32(await container.u32(soil.offsets)),
      nodes: growingU32(await container.u32(soil.nodes)),
      values: growingF32(await container.f32(soil.values)),
    }))),
  ]);
  const outcome = {
    status: header.status, message: header.message,
    summary: header.summary ?? [], warnings: header.warnings ?? [],
  };
  return new Run(header.name, header, outcome, growingF64(time), channels, shapes, patches, soils);
}

/** Rows of a patch in the frame at or before a sample. */
export function patchRows(patch: Patches, sample: number): { first: number; end: number } {
  if (patch.frames.length === 0 || sample < patch.frames.data[0]!) return { first: 0, end: 0 };
  const frame = indexAtOrBefore(patch.frames.data, patch.frames.length, sample);
  return { first: patch.offsets.data[frame]!, end: patch.offsets.data[frame + 1]! };
}
