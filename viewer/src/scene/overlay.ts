// Instanced marks on contacts: solid where one sees them, faint where a body hides them.

import {
  DynamicDrawUsage, GreaterDepth, Group, InstancedBufferAttribute, InstancedMesh, MeshBasicMaterial,
  type BufferGeometry, type MeshBasicMaterialParameters,
} from "three";

const kHiddenOpacity = 0.55;

export class OverlayInstances {
  readonly group = new Group();
  matrices: Float32Array;
  colors: Float32Array | null = null;
  private meshes: InstancedMesh[] = [];
  private capacity = 0;

  constructor(
    private readonly geometry: BufferGeometry,
    private readonly settings: MeshBasicMaterialParameters,
    private readonly colored: boolean,
    capacity: number,
  ) {
    this.matrices = new Float32Array(0);
    this.reserve(Math.max(1, capacity));
  }

  /** Room for so many instances; contents are lost when it grows. */
  reserve(capacity: number): void {
    if (capacity <= this.capacity) return;
    this.removeMeshes();
    this.capacity = Math.max(capacity, 2 * this.capacity);
    const matrices = new InstancedBufferAttribute(new Float32Array(16 * this.capacity), 16);
    const colors = this.colored
      ? new InstancedBufferAttribute(new Float32Array(3 * this.capacity), 3) : null;
    matrices.setUsage(DynamicDrawUsage);
    colors?.setUsage(DynamicDrawUsage);
    this.matrices = matrices.array as Float32Array;
    this.colors = colors === null ? null : colors.array as Float32Array;
    for (const hidden of [true, false]) {
      const mesh = new InstancedMesh(this.geometry, this.material(hidden), 0);
      mesh.instanceMatrix = matrices;
      mesh.instanceColor = colors;
      mesh.frustumCulled = false;
      mesh.renderOrder = hidden ? 10 : 11;
      this.meshes.push(mesh);
      this.group.add(mesh);
    }
  }

  get count(): number {
    return this.group.visible ? this.meshes[0]?.count ?? 0 : 0;
  }

  /** Draws the first `count` instances as they stand in the arrays now. */
  commit(count: number): void {
    for (const mesh of this.meshes) {
      mesh.count = count;
      sendFirst(mesh.instanceMatrix, 16 * count);
      if (mesh.instanceColor !== null) sendFirst(mesh.instanceColor, 3 * count);
    }
  }

  dispose(): void {
    this.removeMeshes();
    this.geometry.dispose();
  }

  private removeMeshes(): void {
    for (const mesh of this.meshes) {
      this.group.remove(mesh);
      (mesh.material as MeshBasicMaterial).dispose();
      mesh.dispose();
    }
    this.meshes = [];
  }

  private material(hidden: boolean): MeshBasicMaterial {
    const material = new MeshBasicMaterial({
      ...this.settings, depthWrite: !hidden,
      polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -8,
    });
    if (hidden) {
      material.depthFunc = GreaterDepth;
      material.transparent = true;
      material.opacity = kHiddenOpacity;
    }
    return material;
  }
}

function sendFirst(attribute: InstancedBufferAttribute, numbers: number): void {
  attribute.clearUpdateRanges();
  attribute.addUpdateRange(0, numbers);
  attribute.needsUpdate = true;
}

/** Columns of a matrix whose z axis has the given unit direction, scaled (sx, sx, sz). */
export function writeMatrix(
  out: Float32Array, instance: number, px: number, py: number, pz: number,
  nx: number, ny: number, nz: number, sx: number, sz: number,
): void {
  // Duff and others (2017): a frame around a direction without branches.
  const sign = nz >= 0 ? 1 : -1;
  const a = -1 / (sign + nz);
  const b = nx * ny * a;
  const at = 16 * instance;
  out[at] = sx * (1 + sign * nx * nx * a);
  out[at + 1] = sx * sign * b;
  out[at + 2] = sx * -sign * nx;
  out[at + 3] = 0;
  out[at + 4] = sx * b;
  out[at + 5] = sx * (sign + ny * ny * a);
  out[at + 6] = sx * -ny;
  out[at + 7] = 0;
  out[at + 8] = sz * nx;
  out[at + 9] = sz * ny;
  out[at + 10] = sz * nz;
  out[at + 11] = 0;
  out[at + 12] = px;
  out[at + 13] = py;
  out[at + 14] = pz;
  out[at + 15] = 1;
}
