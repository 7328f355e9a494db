// How much room a run takes, and what size its arrows and marks should have.

import { Box3, Quaternion, Vector3 } from "three";
import { identityPose, type Run } from "../run_data";
import { boundingBall, type Ball } from "../shape_measures";

const kMostSamples = 400;
const kSmallest = 1e-6;  // m; a lone point gets a metre around it

export interface Extent {
  whole: Box3;       // moving bodies over the whole run, or what there is
  start: Box3;       // moving bodies at the first sample
  sceneSize: number; // m
}

export function extentOf(run: Run): Extent {
  const stride = Math.max(1, Math.floor(run.samples / kMostSamples));
  const balls = ballsOfBodies(run);
  const start = new Box3();
  const whole = new Box3();
  includeBodies(run, 0, balls, start);
  for (let sample = 0; sample < run.samples; sample += stride) includeBodies(run, sample, balls, whole);
  if (run.samples > 0) includeBodies(run, run.samples - 1, balls, whole);
  if (whole.isEmpty()) includeFixed(run, whole);
  if (whole.isEmpty()) whole.set(new Vector3(-0.5, -0.5, 0), new Vector3(0.5, 0.5, 1));
  if (diagonal(whole) < kSmallest) whole.expandByScalar(0.5);
  if (start.isEmpty()) start.copy(whole);
  // Between the size of what moves and the way it goes: arrows suit a ball and a long drive.
  const sizes = diagonal(start) * diagonal(whole);
  return { whole, start, sceneSize: sizes > 0 ? Math.sqrt(sizes) : diagonal(whole) };
}

function diagonal(box: Box3): number {
  return box.min.distanceTo(box.max);
}

function ballsOfBodies(run: Run): Map<string, Ball[]> {
  const out = new Map<string, Ball[]>();
  for (const body of run.bodies) {
    const shapes = run.shapes.filter((shape) => shape.body === body.name);
    const balls = shapes.map(boundingBall).filter((ball) => ball !== null);
    out.set(body.name, balls.length > 0 ? balls : [{ center: [0, 0, 0], radius: 0 }]);
  }
  return out;
}

function includeBodies(run: Run, sample: number, balls: Map<string, Ball[]>, box: Box3): void {
  if (sample >= run.samples) return;
  const pose = identityPose();
  const rotation = new Quaternion();
  const center = new Vector3();
  for (const body of run.bodies) {
    run.poseAt(body, sample, 0, pose);
    if (!pose.position.every(Number.isFinite)) continue;
    const [w, x, y, z] = pose.orientation;
    rotation.set(x, y, z, w);
    for (const ball of balls.get(body.name)!) {
      center.set(...ball.center).applyQuaternion(rotation).add(new Vector3(...pose.position));
      includeBall(box, center, ball.radius);
    }
  }
}

function includeBall(box: Box3, center: Vector3, radius: number): void {
  box.expandByPoint(center.clone().addScalar(radius));
  box.expandByPoint(center.clone().subScalar(radius));
}

function includeFixed(run: Run, box: Box3): void {
  for (const shape of run.shapes) {
    const ball = boundingBall(shape);
    if (ball !== null) includeBall(box, new Vector3(...ball.center), ball.radius);
  }
  for (const soil of run.soils) {
    const [x, y] = soil.origin;
    box.expandByPoint(new Vector3(x, y, soil.initial[0] ?? 0));
    box.expandByPoint(new Vector3(x + soil.nx * soil.spacing, y + soil.ny * soil.spacing,
      soil.initial[0] ?? 0));
  }
}
