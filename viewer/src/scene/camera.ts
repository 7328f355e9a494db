// The eye: orbit, follow a body, first view.

import { PerspectiveCamera, Vector3, type Box3, type Object3D } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const kFieldOfView = 35;  // degrees, vertical
const kFirstDirection = new Vector3(0.62, -0.95, 0.5).normalize();
const kMargin = 1.12;

export class Eye {
  readonly camera = new PerspectiveCamera(kFieldOfView, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  steered = false;  // somebody has turned the view
  private followed: Object3D | null = null;
  private readonly followedAt = new Vector3();
  private readonly moved = new Vector3();

  constructor(surface: HTMLElement, changed: () => void) {
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, surface);
    this.controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.15;
    this.controls.maxPolarAngle = 0.98 * Math.PI;
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => { this.steered = true; });
  }

  /** So near that the box just fits in. */
  lookAt(box: Box3): void {
    const center = box.getCenter(new Vector3());
    const back = kFirstDirection;
    const right = new Vector3().crossVectors(this.camera.up, back).normalize();
    const up = new Vector3().crossVectors(back, right);
    const tanUp = Math.tan(kFieldOfView * Math.PI / 360);
    const tanRight = tanUp * this.camera.aspect;
    let distance = 1e-3;
    for (let corner = 0; corner < 8; ++corner) {
      const p = new Vector3(corner & 1 ? box.max.x : box.min.x, corner & 2 ? box.max.y : box.min.y,
        corner & 4 ? box.max.z : box.min.z).sub(center);
      distance = Math.max(distance, p.dot(back) + kMargin * Math.abs(p.dot(right)) / tanRight,
        p.dot(back) + kMargin * Math.abs(p.dot(up)) / tanUp);
    }
    this.camera.position.copy(center).addScaledVector(back, distance);
    this.controls.target.copy(center);
    this.controls.update();
  }

  follow(object: Object3D | null): void {
    this.followed = object;
    if (object === null) return;
    this.followedAt.copy(object.position);
    this.moved.copy(object.position).sub(this.controls.target);
    this.shift(this.moved);
  }

  /** Goes along with the followed body, and keeps what is near from being cut. */
  update(): void {
    if (this.followed !== null) {
      this.moved.copy(this.followed.position).sub(this.followedAt);
      this.followedAt.copy(this.followed.position);
      this.shift(this.moved);
    }
    this.controls.update();
    const distance = this.camera.position.distanceTo(this.controls.target);
    if (Math.abs(this.camera.near - 0.01 * distance) > 1e-4 * distance) {
      this.camera.near = 0.01 * distance;
      this.camera.far = 200 * distance;
      this.camera.updateProjectionMatrix();
    }
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
  }

  private shift(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
  }
}
