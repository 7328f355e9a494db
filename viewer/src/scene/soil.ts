// A grid of soil whose heights change; only rows with changes are sent to the graphics card.

import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Mesh, Vector2 } from "three";
import { rutRange, SoilHistory, type NodeBox, type SoilData } from "../soil_history";
import { groundMaterial, makeGroundUniforms, type GroundUniforms } from "./materials";

const kMostNodesAcross = 512;
const kSoilColor = "#c9b68d";

export class SoilMesh {
  readonly mesh: Mesh;
  depth = 0;  // greatest rut of the run
  heap = 0;
  private readonly history: SoilHistory;
  private readonly uniforms: GroundUniforms;
  private readonly step: number;  // every step-th node is drawn
  private readonly columns: number;
  private readonly rows: number;
  private readonly positions: BufferAttribute;
  private readonly normals: BufferAttribute;

  constructor(readonly data: SoilData, ground: GroundUniforms) {
    this.history = new SoilHistory(data);
    this.step = Math.max(1, Math.ceil((Math.max(data.nx, data.ny) - 1) / (kMostNodesAcross - 1)));
    this.columns = Math.floor((data.nx - 1) / this.step) + 1;
    this.rows = Math.floor((data.ny - 1) / this.step) + 1;
    this.positions = new BufferAttribute(new Float32Array(3 * this.columns * this.rows), 3);
    this.normals = new BufferAttribute(new Float32Array(3 * this.columns * this.rows), 3);
    this.positions.setUsage(DynamicDrawUsage);
    this.normals.setUsage(DynamicDrawUsage);
    this.uniforms = { ...ground, rutScale: { value: new Vector2(1, 1) },
      rutShown: { value: 1 }, rutMap: makeGroundUniforms().rutMap };
    const material = groundMaterial(this.uniforms, true, { color: kSoilColor, side: DoubleSide });
    this.mesh = new Mesh(this.makeGeometry(), material);
    this.mesh.name = data.name;
    this.mesh.receiveShadow = true;
    this.update({ ix0: 0, ix1: data.nx - 1, iy0: 0, iy1: data.ny - 1 });
    this.measure();
  }

  /** Whether something changed. */
  show(sample: number): boolean {
    return this.update(this.history.seek(sample));
  }

  reset(): void {
    this.update(this.history.reset());
    this.measure();
  }

  /** Range of the colours, from all changes so far. */
  measure(): void {
    const { depth, heap } = rutRange(this.data);
    this.depth = depth;
    this.heap = heap;
    this.uniforms.rutScale.value.set(Math.max(depth, 1e-9), Math.max(heap, 1e-9));
  }

  setRutShown(shown: boolean): void {
    this.uniforms.rutShown.value = shown ? 1 : 0;
  }

  /** As drawn; of a thinned grid the nearest node. */
  height(ix: number, iy: number): number {
    const column = Math.min(this.columns - 1, Math.round(ix / this.step));
    const row = Math.min(this.rows - 1, Math.round(iy / this.step));
    return this.positions.getZ(row * this.columns + column);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.uniforms.rutMap.value.dispose();
    for (const material of [this.mesh.material].flat()) material.dispose();
  }

  private makeGeometry(): BufferGeometry {
    const { columns, rows, step, data } = this;
    const initial = new Float32Array(columns * rows);
    for (let row = 0, vertex = 0; row < rows; ++row)
      for (let column = 0; column < columns; ++column, ++vertex) {
        const height = data.initial[row * step * data.nx + column * step] ?? 0;
        initial[vertex] = height;
        this.positions.setXYZ(vertex, data.origin[0] + column * step * data.spacing,
          data.origin[1] + row * step * data.spacing, height);
        this.normals.setXYZ(vertex, 0, 0, 1);
      }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.positions);
    geometry.setAttribute("normal", this.normals);
    geometry.setAttribute("initialHeight", new BufferAttribute(initial, 1));
    geometry.setIndex(new BufferAttribute(gridTriangles(columns, rows), 1));
    geometry.computeBoundingSphere();
    return geometry;
  }

  private update(nodes: NodeBox): boolean {
    const { step, columns, rows } = this;
    if (nodes.ix1 < nodes.ix0 || rows < 2 || columns < 2) return false;
    const c0 = Math.floor(nodes.ix0 / step);
    const c1 = Math.min(columns - 1, Math.ceil(nodes.ix1 / step));
    const r0 = Math.floor(nodes.iy0 / step);
    const r1 = Math.min(rows - 1, Math.ceil(nodes.iy1 / step));
    this.updateHeights(c0, c1, r0, r1);
    this.updateNormals(Math.max(0, c0 - 1), Math.min(columns - 1, c1 + 1),
      Math.max(0, r0 - 1), Math.min(rows - 1, r1 + 1));
    return true;
  }

  private updateHeights(c0: number, c1: number, r0: number, r1: number): void {
    const to = this.positions.array as Float32Array;
    const from = this.history.heights;
    for (let row = r0; row <= r1; ++row)
      for (let column = c0; column <= c1; ++column)
        to[3 * (row * this.columns + column) + 2] =
          from[row * this.step * this.data.nx + column * this.step]!;
    sendRows(this.positions, this.columns, r0, r1);
  }

  private updateNormals(c0: number, c1: number, r0: number, r1: number): void {
    const { columns, rows } = this;
    const z = this.positions.array as Float32Array;
    const out = this.normals.array as Float32Array;
    const spacing = this.step * this.data.spacing;
    for (let row = r0; row <= r1; ++row) {
      const below = Math.max(0, row - 1);
      const above = Math.min(rows - 1, row + 1);
      for (let column = c0; column <= c1; ++column) {
        const left = Math.max(0, column - 1);
        const right = Math.min(columns - 1, column + 1);
        const sx = (z[3 * (row * columns + right) + 2]! - z[3 * (row * columns + left) + 2]!) /
          ((right - left) * spacing);
        const sy = (z[3 * (above * columns + column) + 2]! - z[3 * (below * columns + column) + 2]!) /
          ((above - below) * spacing);
        const scale = 1 / Math.sqrt(1 + sx * sx + sy * sy);
        const at = 3 * (row * columns + column);
        out[at] = -sx * scale;
        out[at + 1] = -sy * scale;
        out[at + 2] = scale;
      }
    }
    sendRows(this.normals, columns, r0, r1);
  }
}

/** Ranges pile up until the next rendering; three.js merges and clears them. */
function sendRows(attribute: BufferAttribute, columns: number, r0: number, r1: number): void {
  attribute.addUpdateRange(3 * r0 * columns, 3 * (r1 - r0 + 1) * columns);
  attribute.needsUpdate = true;
}

function gridTriangles(columns: number, rows: number): Uint32Array<ArrayBuffer> {
  const out = new Uint32Array(6 * Math.max(0, columns - 1) * Math.max(0, rows - 1));
  let at = 0;
  for (let row = 0; row + 1 < rows; ++row)
    for (let column = 0; column + 1 < columns; ++column) {
      const a = row * columns + column;
      out.set([a, a + 1, a + columns + 1, a, a + columns + 1, a + columns], at);
      at += 6;
    }
  return out;
}
