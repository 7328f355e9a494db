// Everything drawn of one run.

import { Group } from "three";
import type { Run } from "../run_data";
import { ContactArrows } from "./arrows";
import { Bodies } from "./bodies";
import { extentOf, type Extent } from "./extent";
import type { GroundUniforms } from "./materials";
import { PatchDiscs } from "./patches";
import { SoilMesh } from "./soil";
import { Trails } from "./trails";

export class RunView {
  readonly group = new Group();
  readonly extent: Extent;
  readonly bodies: Bodies;
  readonly soils: SoilMesh[];
  readonly patches: PatchDiscs;
  readonly arrows: ContactArrows;
  readonly trails: Trails;

  constructor(readonly run: Run, ground: GroundUniforms, dark: boolean) {
    this.extent = extentOf(run);
    const { sceneSize } = this.extent;
    this.bodies = new Bodies(run, { ground, sceneSize, dark, ghost: null });
    this.soils = run.soils.map((soil) => new SoilMesh(soil, ground));
    this.patches = new PatchDiscs(run, sceneSize);
    this.arrows = new ContactArrows(run, sceneSize);
    this.trails = new Trails(run);
    this.group.add(
      this.bodies.group, ...this.soils.map((soil) => soil.mesh), this.patches.instances.group,
      this.arrows.forces.group, this.arrows.torques.group, this.arrows.points.group, this.trails.group);
  }

  show(time: number): void {
    const sample = this.run.sampleAt(time);
    const fraction = this.run.fractionAfter(sample, time);
    this.bodies.show(sample, fraction);
    for (const soil of this.soils) soil.show(sample);
    this.patches.show(sample);
    this.arrows.show(sample, fraction, this.patches, this.bodies);
    this.trails.show(sample);
  }

  /** Ranges of colours and arrows, after samples came in. */
  measure(): void {
    for (const soil of this.soils) soil.measure();
    this.patches.measure();
    this.arrows.measure();
  }

  reset(): void {
    for (const soil of this.soils) soil.reset();
    this.measure();
  }

  dispose(): void {
    this.bodies.dispose();
    for (const soil of this.soils) soil.dispose();
    this.patches.instances.dispose();
    this.arrows.dispose();
    this.trails.dispose();
  }
}
