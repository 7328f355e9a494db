// Where bodies have been.

import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial } from "three";
import { bodyColor } from "../colors";
import { indexAtOrBefore, type Body, type Run } from "../run_data";

const kMostPoints = 4000;

interface Trail {
  body: Body;
  line: Line<BufferGeometry, LineBasicMaterial>;
}

export class Trails {
  readonly group = new Group();
  private trails: Trail[] = [];
  private samples: number[] = [];  // of the points
  private builtSamples = -1;

  constructor(private readonly run: Run) {
    run.bodies.forEach((body, index) => {
      const material = new LineBasicMaterial({ color: bodyColor(index), transparent: true, opacity: 0.9 });
      const line = new Line(new BufferGeometry(), material);
      line.frustumCulled = false;
      this.trails.push({ body, line });
      this.group.add(line);
    });
    this.group.visible = false;
  }

  show(sample: number): void {
    if (!this.group.visible) return;
    if (this.builtSamples !== this.run.samples) this.build();
    const points = this.samples.length === 0 || sample < 0
      ? 0 : indexAtOrBefore(this.samples, this.samples.length, sample) + 1;
    for (const { line } of this.trails) line.geometry.setDrawRange(0, points);
  }

  dispose(): void {
    for (const { line } of this.trails) {
      line.geometry.dispose();
      line.material.dispose();
    }
  }

  private build(): void {
    this.builtSamples = this.run.samples;
    const stride = Math.max(1, Math.ceil(this.run.samples / kMostPoints));
    this.samples = [];
    for (let k = 0; k < this.run.samples; k += stride) this.samples.push(k);
    for (const { body, line } of this.trails) {
      const points = new Float32Array(3 * this.samples.length);
      this.samples.forEach((sample, i) => {
        for (let c = 0; c < 3; ++c) points[3 * i + c] = body.position.values[c]!.data[sample]!;
      });
      line.geometry.dispose();
      line.geometry = new BufferGeometry();
      line.geometry.setAttribute("position", new BufferAttribute(points, 3));
    }
  }
}
