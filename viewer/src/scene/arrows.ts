// Arrows of contact forces and torques, and the points where the forces act.

import { ConeGeometry, CylinderGeometry, Group, SphereGeometry } from "three";
import { kForceColor, kTorqueColor } from "../colors";
import type { Channel, Run } from "../run_data";
import type { Bodies } from "./bodies";
import { OverlayInstances, writeMatrix } from "./overlay";
import { percentile, type PatchDiscs } from "./patches";

const kUsualLength = 0.25;    // of the scene, for the 95th percentile
const kGreatestLength = 0.6;
const kShaftRadius = 0.004;
const kHeadRadius = 0.012;
const kHeadLength = 0.035;
const kPointRadius = 0.007;
const kMostMeasured = 20000;

interface ContactArrow {
  contact: string;
  body: string;    // the force acts on it
  sign: number;    // -1: the first body is the world, shown is the force on the other one
  force: Channel | null;
  torque: Channel | null;
}

class ArrowSet {
  readonly group = new Group();
  readonly shafts: OverlayInstances;
  readonly heads: OverlayInstances;
  count = 0;

  constructor(color: string, capacity: number, private readonly sceneSize: number) {
    // Unit geometries from the origin along z.
    const shaft = new CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = new OverlayInstances(shaft, { color, toneMapped: false }, false, capacity);
    this.heads = new OverlayInstances(head, { color, toneMapped: false }, false, capacity);
    this.group.add(this.shafts.group, this.heads.group);
  }

  add(px: number, py: number, pz: number, x: number, y: number, z: number, length: number): void {
    const size = Math.sqrt(x * x + y * y + z * z);
    if (!(size > 0) || !(length > 0)) return;
    const nx = x / size;
    const ny = y / size;
    const nz = z / size;
    const head = Math.min(kHeadLength * this.sceneSize, 0.4 * length);
    const thickness = head / (kHeadLength * this.sceneSize);
    const shaft = length - head;
    writeMatrix(this.shafts.matrices, this.count, px, py, pz, nx, ny, nz,
      kShaftRadius * this.sceneSize * thickness, shaft);
    writeMatrix(this.heads.matrices, this.count, px + shaft * nx, py + shaft * ny, pz + shaft * nz,
      nx, ny, nz, kHeadRadius * this.sceneSize * thickness, head);
    ++this.count;
  }

  commit(): void {
    this.shafts.commit(this.count);
    this.heads.commit(this.count);
  }

  dispose(): void {
    this.shafts.dispose();
    this.heads.dispose();
  }
}

export class ContactArrows {
  readonly forces: ArrowSet;
  readonly torques: ArrowSet;
  readonly points: OverlayInstances;
  usualForce = 0;   // N, of the length kUsualLength
  usualTorque = 0;
  scale = 1;
  private readonly arrows: ContactArrow[];
  private readonly vector: [number, number, number] = [0, 0, 0];

  constructor(private readonly run: Run, private readonly sceneSize: number) {
    this.arrows = contactArrows(run);
    this.forces = new ArrowSet(kForceColor, this.arrows.length, sceneSize);
    this.torques = new ArrowSet(kTorqueColor, this.arrows.length, sceneSize);
    this.points = new OverlayInstances(
      new SphereGeometry(1, 12, 8), { color: kForceColor, toneMapped: false }, false, this.arrows.length);
    this.torques.group.visible = false;
    this.measure();
  }

  measure(): void {
    this.usualForce = this.usual((arrow) => arrow.force);
    this.usualTorque = this.usual((arrow) => arrow.torque);
  }

  /** Length in metres of an arrow of the usual force. */
  get usualLength(): number {
    return kUsualLength * this.sceneSize * this.scale;
  }

  show(sample: number, fraction: number, patches: PatchDiscs, bodies: Bodies): void {
    this.forces.count = this.torques.count = 0;
    let points = 0;
    for (const arrow of this.arrows) {
      const center = patches.centers.get(arrow.contact);
      if (this.read(arrow.force, sample, fraction) && center?.valid === true) {
        const [x, y, z] = this.vector;
        this.forces.add(center.x, center.y, center.z, arrow.sign * x, arrow.sign * y, arrow.sign * z,
          this.length(this.usualForce));
        writeMatrix(this.points.matrices, points++, center.x, center.y, center.z, 0, 0, 1,
          kPointRadius * this.sceneSize, kPointRadius * this.sceneSize);
      } else if (center === undefined && this.read(arrow.force, sample, fraction)) {
        this.addAtBody(this.forces, arrow, bodies, this.length(this.usualForce), arrow.sign);
      }
      if (this.read(arrow.torque, sample, fraction))
        this.addAtBody(this.torques, arrow, bodies, this.length(this.usualTorque), 1);
    }
    this.forces.commit();
    this.torques.commit();
    this.points.commit(points);
  }

  dispose(): void {
    this.forces.dispose();
    this.torques.dispose();
    this.points.dispose();
  }

  private addAtBody(
    set: ArrowSet, arrow: ContactArrow, bodies: Bodies, length: number, sign: number,
  ): void {
    const [x, y, z] = this.vector;
    const at = bodies.object(arrow.body)?.position;
    set.add(at?.x ?? 0, at?.y ?? 0, at?.z ?? 0, sign * x, sign * y, sign * z, length);
  }

  /** Into `vector`; whether there is something to draw. */
  private read(channel: Channel | null, sample: number, fraction: number): boolean {
    if (channel === null || sample < 0) return false;
    for (let i = 0; i < 3; ++i) {
      const values = channel.values[i]!.data;
      const a = values[sample]!;
      this.vector[i] = fraction > 0 ? a + fraction * (values[sample + 1]! - a) : a;
    }
    return Math.abs(this.vector[0]) + Math.abs(this.vector[1]) + Math.abs(this.vector[2]) > 0;
  }

  private length(usual: number): number {
    const [x, y, z] = this.vector;
    const size = Math.sqrt(x * x + y * y + z * z);
    if (!(usual > 0)) return 0;
    return Math.min(this.usualLength * size / usual, kGreatestLength * this.sceneSize * this.scale);
  }

  private usual(channelOf: (arrow: ContactArrow) => Channel | null): number {
    const sizes: number[] = [];
    const stride = Math.max(1, Math.floor(this.run.samples * this.arrows.length / kMostMeasured));
    for (const arrow of this.arrows)
      for (let k = 0; k < this.run.samples; k += stride)
        if (this.read(channelOf(arrow), k, 0)) sizes.push(Math.hypot(...this.vector));
    return percentile(sizes, 0.95);
  }
}

function contactArrows(run: Run): ContactArrow[] {
  const out: ContactArrow[] = [];
  for (const channel of run.channels) {
    const match = /^contacts\/(.+)\/force$/.exec(channel.path);
    if (match === null || channel.values.length < 3) continue;
    const torque = run.channel(`contacts/${match[1]}/torque`) ?? null;
    const body = /on body '([^']*)'/.exec(channel.description)?.[1] ?? match[1]!;
    out.push({
      contact: match[1]!, body, sign: body === "world" ? -1 : 1, force: channel,
      torque: torque !== null && torque.values.length >= 3 ? torque : null,
    });
  }
  return out;
}
