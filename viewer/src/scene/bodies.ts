// Shapes on their bodies, moved to the recorded poses.

import {
  BufferAttribute, BufferGeometry, DoubleSide, EdgesGeometry, Group, LineBasicMaterial, LineSegments,
  Mesh, OctahedronGeometry, PlaneGeometry, SphereGeometry, type Material, type MeshStandardMaterial,
} from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { bodyColor } from "../colors";
import { identityPose, type Run, type Shape } from "../run_data";
import { boundingBall, givenColor, isStandIn, rollingRadius } from "../shape_measures";
import { bodyMaterial, groundMaterial, type GroundUniforms } from "./materials";

const kCreaseAngle = 0.6;            // rad
const kEdgeAngle = 20;               // degrees
const kMostCreasedTriangles = 30000;  // finding creases takes a second per 50,000
const kGroundColor = { light: "#b9b6ae", dark: "#6f6d68" };

export interface BodiesOptions {
  ground: GroundUniforms;
  sceneSize: number;
  dark: boolean;
  ghost: string | null;  // colour of a translucent copy of another run
}

export class Bodies {
  readonly group = new Group();
  readonly notDrawn: string[] = [];
  private readonly groups = new Map<string, Group>();
  private readonly edged: Mesh[] = [];
  private edges: LineSegments[] = [];
  private readonly markers: Mesh[] = [];
  private readonly groundMaterials: MeshStandardMaterial[] = [];
  private readonly pose = identityPose();

  constructor(private readonly run: Run, private readonly options: BodiesOptions) {
    run.bodies.forEach((body, index) => {
      const shapes = run.shapes.filter((shape) => shape.body === body.name);
      const group = new Group();
      group.name = body.name;
      const given = shapes.map(givenColor).find((color) => color !== null);
      for (const shape of shapes)
        if (!isStandIn(shape, shapes)) this.addShape(group, shape, given ?? bodyColor(index));
      if (group.children.length === 0) this.addMarker(group, index);
      this.groups.set(body.name, group);
      this.group.add(group);
    });
    for (const shape of run.shapes)
      if (run.body(shape.body) === undefined && options.ghost === null)
        this.addShape(this.group, shape, null);
  }

  object(body: string): Group | undefined {
    return this.groups.get(body);
  }

  show(sample: number, fraction: number): void {
    for (const body of this.run.bodies) {
      const group = this.groups.get(body.name)!;
      group.visible = sample >= 0;
      if (sample < 0) continue;
      const { position: p, orientation: q } = this.pose;
      this.run.poseAt(body, sample, fraction, this.pose);
      group.position.set(p[0], p[1], p[2]);
      group.quaternion.set(q[1], q[2], q[3], q[0]);
    }
  }

  /** Finding edges takes a while for fine meshes, so it waits until somebody wants them. */
  setEdges(visible: boolean): void {
    if (visible && this.edges.length === 0) this.edges = this.edged.map(addEdges);
    for (const lines of this.edges) lines.visible = visible;
  }

  setMarkers(visible: boolean): void {
    for (const marker of this.markers) marker.visible = visible;
  }

  setDark(dark: boolean): void {
    for (const material of this.groundMaterials)
      material.color.set(dark ? kGroundColor.dark : kGroundColor.light);
  }

  dispose(): void {
    this.group.traverse((object) => {
      if (!(object instanceof Mesh || object instanceof LineSegments)) return;
      (object.geometry as BufferGeometry).dispose();
      (object.material as Material).dispose();
    });
  }

  /** Without a colour it belongs to the ground. */
  private addShape(parent: Group, shape: Shape, color: string | null): void {
    const geometry = this.geometryOf(shape);
    if (geometry === null) {
      this.notDrawn.push(`${shape.name} (${shape.kind})`);
      return;
    }
    const mesh = new Mesh(geometry, this.materialOf(shape, color, geometry));
    mesh.name = shape.name;
    if (shape.kind !== "mesh") placeInBody(mesh, shape);
    const solid = this.options.ghost === null;
    mesh.castShadow = solid && shape.kind !== "half_space";
    mesh.receiveShadow = solid;
    if (solid && shape.kind === "mesh") this.edged.push(mesh);
    parent.add(mesh);
  }

  private geometryOf(shape: Shape): BufferGeometry | null {
    if (shape.kind === "sphere")
      return new SphereGeometry(shape.numbers.get("radius") ?? 0.1, 64, 40);
    if (shape.kind === "half_space") {
      const side = Math.max(20, 60 * this.options.sceneSize);
      return new PlaneGeometry(side, side);
    }
    if (shape.vertices === null || shape.triangles === null || shape.triangles.length === 0) return null;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(shape.vertices, 3));
    geometry.setIndex(new BufferAttribute(shape.triangles, 1));
    if (shape.triangles.length / 3 <= kMostCreasedTriangles)
      return toCreasedNormals(geometry, kCreaseAngle);
    geometry.computeVertexNormals();
    return geometry;
  }

  private materialOf(shape: Shape, ofBody: string | null, geometry: BufferGeometry): MeshStandardMaterial {
    if (this.options.ghost !== null)
      return bodyMaterial(this.options.ghost, false, { transparent: true, opacity: 0.28, depthWrite: false });
    if (ofBody !== null) {
      const round = rollingRadius(shape) !== null;
      if (round) addDistanceFromCenter(geometry, shape);
      return bodyMaterial(givenColor(shape) ?? ofBody, round, { side: DoubleSide });
    }
    const color = this.options.dark ? kGroundColor.dark : kGroundColor.light;
    const material = groundMaterial(this.options.ground, false, { color, side: DoubleSide });
    this.groundMaterials.push(material);
    return material;
  }

  /** A body without anything to draw is still somewhere. */
  private addMarker(group: Group, index: number): void {
    const ghost = this.options.ghost;
    const material = bodyMaterial(ghost ?? bodyColor(index), false, {
      transparent: ghost !== null, opacity: ghost === null ? 1 : 0.3, flatShading: true,
    });
    const marker = new Mesh(new OctahedronGeometry(0.02 * this.options.sceneSize), material);
    marker.castShadow = ghost === null;
    this.markers.push(marker);
    group.add(marker);
  }
}

function addEdges(mesh: Mesh): LineSegments {
  const material = new LineBasicMaterial({ color: 0x202020, transparent: true, opacity: 0.5 });
  const lines = new LineSegments(new EdgesGeometry(mesh.geometry, kEdgeAngle), material);
  mesh.add(lines);
  return lines;
}

function placeInBody(mesh: Mesh, shape: Shape): void {
  const at = (name: string, otherwise = 0) => shape.numbers.get(name) ?? otherwise;
  mesh.position.set(at("x"), at("y"), at("z"));
  mesh.quaternion.set(at("qx"), at("qy"), at("qz"), at("qw", 1));
}

function addDistanceFromCenter(geometry: BufferGeometry, shape: Shape): void {
  const center = shape.kind === "mesh" ? boundingBall(shape)!.center : [0, 0, 0];
  const positions = geometry.getAttribute("position");
  const out = new Float32Array(3 * positions.count);
  for (let i = 0; i < positions.count; ++i) {
    out[3 * i] = positions.getX(i) - center[0]!;
    out[3 * i + 1] = positions.getY(i) - center[1]!;
    out[3 * i + 2] = positions.getZ(i) - center[2]!;
  }
  geometry.setAttribute("fromCenter", new BufferAttribute(out, 3));
}
