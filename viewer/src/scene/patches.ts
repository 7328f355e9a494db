// Contact elements as discs of their area, coloured by pressure or penetration.

import { CircleGeometry, DoubleSide } from "three";
import { linearOfSrgb, mapColor } from "../colors";
import { patchRows, type Patches, type Run } from "../run_data";
import { OverlayInstances, writeMatrix } from "./overlay";

export type PatchQuantity = "pressure" | "penetration";

const kPointSize = 0.012;     // of the scene, for elements without area
const kColorSteps = 256;
const kMostMeasured = 20000;  // rows looked at for the range of colours

interface Columns {
  x: Float32Array; y: Float32Array; z: Float32Array;
  fx: Float32Array; fy: Float32Array; fz: Float32Array;
  penetration: Float32Array; area: Float32Array;
}

function columnsOf(patch: Patches): Columns | null {
  const column = (name: string) => patch.values[patch.columns.indexOf(name)]?.data;
  const [x, y, z] = [column("x"), column("y"), column("z")];
  const [fx, fy, fz] = [column("force_x"), column("force_y"), column("force_z")];
  const [penetration, area] = [column("penetration"), column("area")];
  if (!x || !y || !z || !fx || !fy || !fz || !penetration || !area) return null;
  return { x, y, z, fx, fy, fz, penetration, area };
}

export class PatchDiscs {
  readonly instances: OverlayInstances;
  /** Mean place of each contact weighted by force, and whether it has one. */
  readonly centers = new Map<string, { x: number; y: number; z: number; valid: boolean }>();
  quantity: PatchQuantity = "pressure";
  momentary = false;  // colours reach to what is greatest now, not in the whole run
  top = 0;            // value of the last colour
  private greatest: Record<PatchQuantity, number> = { pressure: 0, penetration: 0 };
  private readonly colorTable = new Float32Array(3 * kColorSteps);
  private shownSample = -2;

  constructor(private readonly run: Run, private readonly sceneSize: number) {
    this.instances = new OverlayInstances(
      new CircleGeometry(1, 20), { side: DoubleSide, toneMapped: false }, true, this.mostRows());
    for (let i = 0; i < kColorSteps; ++i) {
      const color = mapColor("viridis", i / (kColorSteps - 1));
      this.colorTable.set(color.map(linearOfSrgb), 3 * i);
    }
    for (const patch of run.patches)
      this.centers.set(patch.contact, { x: 0, y: 0, z: 0, valid: false });
    this.measure();
  }

  /** Colours reach to the 99th percentile: one edge element must not bleach the others. */
  measure(): void {
    const pressures: number[] = [];
    const penetrations: number[] = [];
    for (const patch of this.run.patches) {
      const columns = columnsOf(patch);
      if (columns === null) continue;
      const rows = patch.values[0]!.length;
      const stride = Math.max(1, Math.floor(rows / kMostMeasured));
      for (let row = 0; row < rows; row += stride) {
        pressures.push(pressureOf(columns, row));
        penetrations.push(columns.penetration[row]!);
      }
    }
    this.greatest = { pressure: percentile(pressures, 0.99), penetration: percentile(penetrations, 0.99) };
    this.top = this.greatest[this.quantity];
    this.refresh();
  }

  /** The next show() fills in everything again. */
  refresh(): void {
    this.shownSample = -2;
  }

  show(sample: number): void {
    if (sample === this.shownSample) return;
    this.shownSample = sample;
    this.instances.reserve(this.rowsAt(sample));
    this.top = this.momentary ? this.greatestAt(sample) : this.greatest[this.quantity];
    let count = 0;
    for (const patch of this.run.patches) count = this.write(patch, sample, count);
    this.instances.commit(count);
  }

  private write(patch: Patches, sample: number, count: number): number {
    const columns = columnsOf(patch);
    if (columns === null) return count;
    const { first, end } = patchRows(patch, sample);
    const center = this.centers.get(patch.contact)!;
    center.x = center.y = center.z = 0;
    let weights = 0;
    for (let row = first; row < end; ++row, ++count) {
      const x = columns.x[row]!;
      const y = columns.y[row]!;
      const z = columns.z[row]!;
      const fx = columns.fx[row]!;
      const fy = columns.fy[row]!;
      const fz = columns.fz[row]!;
      const force = Math.sqrt(fx * fx + fy * fy + fz * fz);
      const area = columns.area[row]!;
      const radius = area > 0 ? Math.sqrt(area / Math.PI) : kPointSize * this.sceneSize;
      const scale = force > 0 ? 1 / force : 0;
      writeMatrix(this.instances.matrices, count, x, y, z,
        fx * scale, fy * scale, force > 0 ? fz * scale : 1, radius, 1);
      this.writeColor(count, columns, row);
      const weight = force > 0 ? force : 1e-12;
      center.x += weight * x;
      center.y += weight * y;
      center.z += weight * z;
      weights += weight;
    }
    center.valid = weights > 0;
    if (center.valid) {
      center.x /= weights;
      center.y /= weights;
      center.z /= weights;
    }
    return count;
  }

  private writeColor(instance: number, columns: Columns, row: number): void {
    const value = this.valueOf(columns, row);
    const fraction = this.top > 0 ? Math.min(1, Math.max(0, value / this.top)) : 0;
    const at = 3 * Math.round(fraction * (kColorSteps - 1));
    const colors = this.instances.colors!;
    colors[3 * instance] = this.colorTable[at]!;
    colors[3 * instance + 1] = this.colorTable[at + 1]!;
    colors[3 * instance + 2] = this.colorTable[at + 2]!;
  }

  private valueOf(columns: Columns, row: number): number {
    return this.quantity === "pressure" ? pressureOf(columns, row) : columns.penetration[row]!;
  }

  private greatestAt(sample: number): number {
    let greatest = 0;
    for (const patch of this.run.patches) {
      const columns = columnsOf(patch);
      const { first, end } = patchRows(patch, sample);
      for (let row = first; columns !== null && row < end; ++row)
        greatest = Math.max(greatest, this.valueOf(columns, row));
    }
    return greatest;
  }

  private rowsAt(sample: number): number {
    return this.run.patches.reduce((sum, patch) => {
      const { first, end } = patchRows(patch, sample);
      return sum + end - first;
    }, 0);
  }

  private mostRows(): number {
    let sum = 0;
    for (const { frames, offsets } of this.run.patches) {
      let most = 0;
      for (let k = 0; k < frames.length; ++k)
        most = Math.max(most, offsets.data[k + 1]! - offsets.data[k]!);
      sum += most;
    }
    return sum;
  }
}

function pressureOf(columns: Columns, row: number): number {
  const area = columns.area[row]!;
  if (!(area > 0)) return 0;
  return Math.hypot(columns.fx[row]!, columns.fy[row]!, columns.fz[row]!) / area;
}

export function percentile(values: number[], fraction: number): number {
  const finite = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  return finite.length === 0 ? 0 : finite[Math.floor(fraction * (finite.length - 1))]!;
}
