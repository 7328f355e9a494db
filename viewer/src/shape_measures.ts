// Sizes of shapes in the frame of their body.

import type { Shape } from "./run_data";

export interface Ball {
  center: [number, number, number];
  radius: number;
}

interface Box {
  low: [number, number, number];
  high: [number, number, number];
}

function meshBox(vertices: Float32Array): Box {
  const box: Box = {
    low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity],
  };
  for (let i = 0; i + 2 < vertices.length; i += 3)
    for (let c = 0; c < 3; ++c) {
      const x = vertices[i + c]!;
      if (x < box.low[c]!) box.low[c] = x;
      if (x > box.high[c]!) box.high[c] = x;
    }
  return box;
}

/** A geom of a mechanism file: it is seen, but touches nothing. */
export function isPicture(shape: Shape): boolean {
  return shape.name.startsWith("geoms/");
}

/** Colour that the mechanism file gives a geom; null: none. */
export function givenColor(shape: Shape): string | null {
  const parts = ["red", "green", "blue"].map((name) => shape.numbers.get(name));
  if (parts.some((part) => part === undefined)) return null;
  const bytes = parts.map((part) => Math.round(255 * Math.min(1, Math.max(0, part!))));
  return `rgb(${bytes.join(", ")})`;
}

/** Whether a geom is the picture of a wheel that its body has as a shape as well, about as large. */
export function isStandIn(shape: Shape, ofBody: Shape[]): boolean {
  const radius = isPicture(shape) ? rollingRadius(shape) : null;
  if (radius === null) return false;
  return ofBody.some((other) => {
    const its = isPicture(other) ? null : rollingRadius(other);
    return its !== null && its < 1.5 * radius && radius < 1.5 * its;
  });
}

/** A ball around a shape; null for what has no end or nothing to show. */
export function boundingBall(shape: Shape): Ball | null {
  if (shape.kind === "sphere") {
    const at = (name: string) => shape.numbers.get(name) ?? 0;
    return { center: [at("x"), at("y"), at("z")], radius: at("radius") };
  }
  if (shape.vertices === null || shape.vertices.length < 3) return null;
  const { low, high } = meshBox(shape.vertices);
  const center: [number, number, number] = [
    (low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2,
  ];
  let squared = 0;
  for (let i = 0; i + 2 < shape.vertices.length; i += 3) {
    const dx = shape.vertices[i]! - center[0];
    const dy = shape.vertices[i + 1]! - center[1];
    const dz = shape.vertices[i + 2]! - center[2];
    squared = Math.max(squared, dx * dx + dy * dy + dz * dz);
  }
  return { center, radius: Math.sqrt(squared) };
}

/**
 * Radius of a ball or of a wheel about an axis of its frame, null for what is not round: of a box
 * the corners lie 1.4 times as far out as the faces, of a wheel with lugs hardly farther. A round foot
 * at the end of a leg is no wheel either: its axis does not pass through the body's origin.
 */
export function rollingRadius(shape: Shape): number | null {
  if (shape.kind === "sphere") return shape.numbers.get("radius") ?? null;
  if (shape.vertices === null || shape.vertices.length < 36) return null;
  const { low, high } = meshBox(shape.vertices);
  for (let axis = 0; axis < 3; ++axis) {
    const u = (axis + 1) % 3;
    const v = (axis + 2) % 3;
    const width = high[u]! - low[u]!;
    const height = high[v]! - low[v]!;
    if (Math.abs(width - height) > 0.03 * Math.max(width, height)) continue;
    const offset = Math.hypot((low[u]! + high[u]!) / 2, (low[v]! + high[v]!) / 2);
    if (offset > 0.1 * Math.max(width, height)) continue;
    let squared = 0;
    for (let i = 0; i + 2 < shape.vertices.length; i += 3) {
      const du = shape.vertices[i + u]! - (low[u]! + high[u]!) / 2;
      const dv = shape.vertices[i + v]! - (low[v]! + high[v]!) / 2;
      squared = Math.max(squared, du * du + dv * dv);
    }
    const radius = Math.sqrt(squared);
    if (radius < 1.1 * Math.max(width, height) / 2) return radius;
  }
  return null;
}
