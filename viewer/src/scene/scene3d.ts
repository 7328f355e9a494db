// The 3D area: renderer, light with shadow, the shown run and ghosts of others.

import {
  BasicShadowMap, Color, DirectionalLight, HemisphereLight, PCFShadowMap, Scene, Vector3, WebGLRenderer,
} from "three";
import { kRunColors } from "../colors";
import type { Run } from "../run_data";
import { Bodies } from "./bodies";
import { Eye } from "./camera";
import { extentOf } from "./extent";
import { makeGroundUniforms } from "./materials";
import type { PatchQuantity } from "./patches";
import { graphicsQuality } from "./quality";
import { RunView } from "./run_view";

const kBackground = { light: "#e9edf2", dark: "#171b21" };
const kGrowth = 1.3;  // arrows and grid are made anew for a scene so much larger
const kSun = new Vector3(-0.45, -0.55, 1.25).normalize();

export interface ViewOptions {
  patches: boolean;
  forces: boolean;
  torques: boolean;
  trails: boolean;
  edges: boolean;
  markers: boolean;
  rutColors: boolean;
  shadows: boolean;
  momentary: boolean;
  quantity: PatchQuantity;
  arrowScale: number;
}

const kDefaultOptions: ViewOptions = {
  patches: true, forces: true, torques: false, trails: false, edges: false, markers: true,
  rutColors: true, shadows: true, momentary: false, quantity: "pressure", arrowScale: 1,
};

interface Ghost {
  run: Run;
  color: string;
  bodies: Bodies;
}

export class Scene3d {
  readonly options: ViewOptions = { ...kDefaultOptions };
  view: RunView | null = null;
  ghosts: Ghost[] = [];
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly eye: Eye;
  private readonly sun = new DirectionalLight(0xffffff, 2.0);
  private readonly sky = new HemisphereLight(0xffffff, 0xb5ab9a, 1.9);
  private readonly ground = makeGroundUniforms();
  private readonly shadowCenter = new Vector3();
  private dark = false;
  private followed: string | null = null;

  /** Throws if the browser has no WebGL. */
  constructor(private readonly canvas: HTMLCanvasElement, private readonly changed: () => void) {
    const quality = graphicsQuality();
    this.renderer = new WebGLRenderer({ canvas, antialias: quality.antialias, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(quality.pixelRatio);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = quality.softShadows ? PCFShadowMap : BasicShadowMap;
    this.eye = new Eye(canvas, changed);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(quality.shadowSize, quality.shadowSize);
    this.scene.add(this.sun, this.sun.target, this.sky);
    this.setDark(false);
  }

  setRun(run: Run, others: { run: Run; index: number }[]): void {
    this.clear();
    this.view = new RunView(run, this.ground, this.dark);
    this.scene.add(this.view.group);
    const { sceneSize } = this.view.extent;
    for (const other of others) {
      const color = kRunColors[other.index % kRunColors.length]!;
      const bodies = new Bodies(other.run, { ground: this.ground, sceneSize, dark: this.dark, ghost: color });
      this.ghosts.push({ run: other.run, color, bodies });
      this.scene.add(bodies.group);
    }
    this.fitSurroundings();
    this.applyOptions();
  }

  resetCamera(): void {
    if (this.view === null) return;
    const followed = this.followed;
    this.eye.follow(null);
    this.eye.lookAt(this.view.extent.whole);
    this.eye.steered = false;
    if (followed !== null) this.follow(followed);
    this.changed();
  }

  /** After samples came in: keeps all in view, unless somebody looks elsewhere. */
  growView(): "grown" | "fits" {
    const { view, eye } = this;
    if (view === null) return "fits";
    const extent = extentOf(view.run);
    if (extent.sceneSize > kGrowth * view.extent.sceneSize) return "grown";
    if (!eye.steered && this.followed === null && !view.extent.whole.containsBox(extent.whole)) {
      view.extent.whole.copy(extent.whole);
      eye.lookAt(extent.whole);
    }
    view.measure();
    return "fits";
  }

  get cameraSteered(): boolean {
    return this.eye.steered;
  }

  follow(body: string | null): void {
    this.followed = body;
    const object = body === null ? undefined : this.view?.bodies.object(body);
    this.eye.follow(object ?? null);
    this.changed();
  }

  setDark(dark: boolean): void {
    this.dark = dark;
    const background = new Color(dark ? kBackground.dark : kBackground.light);
    this.scene.background = background;
    this.ground.fadeColor.value.copy(background);
    this.sky.intensity = dark ? 1.6 : 1.9;
    this.sun.intensity = dark ? 1.7 : 2.0;
    this.view?.bodies.setDark(dark);
    this.changed();
  }

  applyOptions(): void {
    const { view, options } = this;
    if (view === null) return;
    view.patches.instances.group.visible = options.patches;
    view.arrows.points.group.visible = options.patches || options.forces;
    view.arrows.forces.group.visible = options.forces;
    view.arrows.torques.group.visible = options.torques;
    view.arrows.scale = options.arrowScale;
    view.trails.group.visible = options.trails;
    view.bodies.setEdges(options.edges);
    view.bodies.setMarkers(options.markers);
    for (const soil of view.soils) soil.setRutShown(options.rutColors);
    view.patches.quantity = options.quantity;
    view.patches.momentary = options.momentary;
    view.patches.measure();
    this.sun.castShadow = options.shadows;
    this.changed();
  }

  show(time: number): void {
    this.view?.show(time);
    for (const { run, bodies } of this.ghosts) {
      const sample = run.sampleAt(time);
      bodies.show(sample, run.fractionAfter(sample, time));
    }
  }

  render(): void {
    this.eye.update();
    this.moveShadow();
    this.renderer.render(this.scene, this.eye.camera);
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.eye.resize(width, height);
    this.changed();
  }

  private clear(): void {
    if (this.view !== null) {
      this.scene.remove(this.view.group);
      this.view.dispose();
    }
    for (const { bodies } of this.ghosts) {
      this.scene.remove(bodies.group);
      bodies.dispose();
    }
    this.ghosts = [];
  }

  /** Grid, fading distance and shadow suit the size of what moves. */
  private fitSurroundings(): void {
    const { whole, start, sceneSize } = this.view!.extent;
    const wholeSize = whole.min.distanceTo(whole.max);
    this.ground.gridStep.value = niceStep(sceneSize / 3);
    whole.getCenter(this.ground.fadeCenter.value);
    this.ground.fadeRange.value.set(5 * wholeSize, 25 * wholeSize);
    const reach = 0.75 * Math.max(start.min.distanceTo(start.max), 0.8 * sceneSize);
    const camera = this.sun.shadow.camera;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.1 * reach;
    camera.far = 8 * reach;
    camera.updateProjectionMatrix();
    // Surfaces at a low angle to the sun cross several texels in depth.
    this.sun.shadow.normalBias = 5 * 2 * reach / this.sun.shadow.mapSize.x;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.radius = 2;
  }

  /** The shadow stays with the moving bodies, in steps of a texel so that its edges keep still. */
  private moveShadow(): void {
    const { view, shadowCenter } = this;
    if (view === null || !this.sun.castShadow) return;
    shadowCenter.set(0, 0, 0);
    const bodies = view.run.bodies;
    for (const body of bodies) shadowCenter.add(view.bodies.object(body.name)!.position);
    if (bodies.length > 0) shadowCenter.divideScalar(bodies.length);
    else view.extent.whole.getCenter(shadowCenter);
    const reach = this.sun.shadow.camera.right;
    const texel = 2 * reach / this.sun.shadow.mapSize.x;
    shadowCenter.divideScalar(8 * texel).round().multiplyScalar(8 * texel);
    this.sun.target.position.copy(shadowCenter);
    this.sun.position.copy(shadowCenter).addScaledVector(kSun, 4 * reach);
  }
}

function niceStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const digit = [5, 2, 1].find((candidate) => candidate * power <= size) ?? 1;
  return digit * power;
}
