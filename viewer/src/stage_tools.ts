// Choices of the 3D view, and the scales of its colours and arrows.

import { cssGradient, mapColor, rutColor } from "./colors";
import { byId, downloadCanvas, fileName, make } from "./dom";
import type { Run } from "./run_data";
import type { Scene3d, ViewOptions } from "./scene/scene3d";
import { formatNumber, formatQuantity, formatTime } from "./units";

type Switch = { [Key in keyof ViewOptions]: ViewOptions[Key] extends boolean ? Key : never }[keyof ViewOptions];

const kSwitches: { key: Switch; text: string; there: (run: Run) => boolean }[] = [
  { key: "patches", text: "Contact patches", there: (run) => run.patches.length > 0 },
  { key: "forces", text: "Force arrows", there: hasContacts },
  { key: "torques", text: "Torque arrows", there: hasContacts },
  { key: "rutColors", text: "Soil coloured by rut depth", there: (run) => run.soils.length > 0 },
  { key: "momentary", text: "Patch colours up to the greatest now", there: (run) => run.patches.length > 0 },
  { key: "trails", text: "Trails", there: (run) => run.bodies.length > 0 },
  { key: "edges", text: "Edges of meshes", there: (run) => run.shapes.some((s) => s.kind === "mesh") },
  { key: "markers", text: "Bodies without shape", there: hasShapelessBodies },
  { key: "shadows", text: "Shadows", there: () => true },
];

function hasContacts(run: Run): boolean {
  return run.channels.some((channel) => /^contacts\/.*\/force$/.test(channel.path));
}

function hasShapelessBodies(run: Run): boolean {
  return run.bodies.some((body) => !run.shapes.some((shape) => shape.body === body.name));
}

export class StageTools {
  private readonly follow = byId<HTMLSelectElement>("follow");
  private readonly options = byId("view-options-body");
  private readonly legend = byId("stage-legend");
  private patchTop = 0;  // as the legend has it

  constructor(private readonly scene: Scene3d, private readonly runs: Run[],
    private readonly showRun: (index: number) => void, private readonly time: () => number) {
    byId("reset-camera").addEventListener("click", () => scene.resetCamera());
    byId("save-view").addEventListener("click", () => this.savePicture());
    this.follow.addEventListener("change", () => scene.follow(this.follow.value || null));
    this.closeOptionsOutside();
    if (runs.length > 1) this.offerRuns();
    this.fill();
  }

  /** The next body in the list, after the last one none. */
  followNext(): void {
    this.follow.selectedIndex = (this.follow.selectedIndex + 1) % this.follow.options.length;
    this.scene.follow(this.follow.value || null);
  }

  /** Choices and scales of the run that is shown now. */
  fill(): void {
    const { view } = this.scene;
    if (view === null) return;
    const chosen = this.follow.value;
    this.follow.replaceChildren(make("option", { value: "" }, "nothing"),
      ...view.run.bodies.map((body) => make("option", { value: body.name }, body.name)));
    this.follow.value = view.run.body(chosen) === undefined ? "" : chosen;
    this.scene.follow(this.follow.value || null);
    const switches = kSwitches.filter((each) => each.there(view.run));
    this.options.replaceChildren(...switches.map(({ key, text }) => this.switchElement(key, text)));
    if (view.run.patches.length > 0) this.options.append(this.quantityChoice());
    if (hasContacts(view.run)) this.options.append(this.arrowScale());
    this.updateLegend();
  }

  /** In every frame: only colours that go with the moment need new numbers. */
  update(): void {
    const { view, options } = this.scene;
    if (options.momentary && view !== null && view.patches.top !== this.patchTop) this.updateLegend();
  }

  updateLegend(): void {
    const { view, options } = this.scene;
    this.legend.replaceChildren();
    if (view === null) return;
    const { patches, arrows } = view;
    this.patchTop = patches.top;
    if (options.patches && patches.top > 0) {
      const unit = options.quantity === "pressure" ? "Pa" : "m";
      this.legend.append(colorScale(options.quantity === "pressure" ? "Contact pressure" : "Penetration",
        cssGradient((fraction) => mapColor("viridis", fraction)), 0, patches.top, unit));
    }
    if (options.rutColors)
      for (const soil of view.soils.filter((each) => each.depth > 0)) {
        const range = soil.depth + soil.heap;
        const gradient = cssGradient((f) => rutColor(f * range - soil.heap, soil.depth, soil.heap));
        this.legend.append(colorScale(view.soils.length > 1 ? `Rut depth, ${soil.data.name}` : "Rut depth",
          gradient, -soil.heap, soil.depth, "m"));
      }
    for (const { run, color } of this.scene.ghosts) {
      const mark = make("span", { class: "ghost" });
      mark.style.background = color;
      this.legend.append(make("div", { class: "scale note" }, mark, run.name));
    }
    const notes: string[] = [];
    if (view.run.samples === 0) notes.push("No samples");
    if (options.forces && arrows.usualForce > 0)
      notes.push(`Arrow of ${formatQuantity(arrows.usualLength, "m", 2)}: ${formatQuantity(arrows.usualForce, "N", 3)}`);
    if (options.torques && arrows.usualTorque > 0)
      notes.push(`torque ${formatQuantity(arrows.usualTorque, "Nm", 3)}`);
    if (notes.length > 0) this.legend.append(make("div", { class: "scale note" }, notes.join(", ")));
  }

  private switchElement(key: Switch, text: string): HTMLElement {
    const input = make("input", { type: "checkbox", id: `show-${key}`, change: () => {
      this.scene.options[key] = input.checked;
      this.apply();
    } });
    input.checked = this.scene.options[key];
    return make("label", {}, input, text);
  }

  private quantityChoice(): HTMLElement {
    const select = make("select", { id: "patch-quantity", "aria-label": "Colour of contact patches", change: () => {
      this.scene.options.quantity = select.value === "penetration" ? "penetration" : "pressure";
      this.apply();
    } }, make("option", { value: "pressure" }, "pressure"), make("option", { value: "penetration" }, "penetration"));
    select.value = this.scene.options.quantity;
    return make("label", { class: "wide" }, "Patches by", select);
  }

  private arrowScale(): HTMLElement {
    const input = make("input", { type: "range", min: "-2", max: "2", step: "0.5", "aria-label": "Length of arrows", input: () => {
      this.scene.options.arrowScale = 2 ** Number(input.value);
      this.apply();
    } });
    input.value = String(Math.log2(this.scene.options.arrowScale));
    return make("label", { class: "wide" }, "Arrow length", input);
  }

  private apply(): void {
    this.scene.applyOptions();
    this.updateLegend();
  }

  private offerRuns(): void {
    byId("run-choice").hidden = false;
    const select = byId<HTMLSelectElement>("shown-run");
    select.append(...this.runs.map((run, index) => make("option", { value: String(index) }, run.name)));
    select.addEventListener("change", () => this.showRun(Number(select.value)));
  }

  private closeOptionsOutside(): void {
    const details = byId<HTMLDetailsElement>("view-options");
    document.addEventListener("pointerdown", (event) => {
      if (!details.contains(event.target as Node)) details.open = false;
    });
  }

  /** The canvas is only sure to hold the picture right after it was drawn. */
  private savePicture(): void {
    const { view } = this.scene;
    if (view === null) return;
    this.scene.render();
    const source = byId<HTMLCanvasElement>("canvas");
    const canvas = document.createElement("canvas");
    canvas.width = source.width;
    canvas.height = source.height;
    const context = canvas.getContext("2d")!;
    context.drawImage(source, 0, 0);
    const time = formatTime(this.time(), view.run.end - view.run.start);
    context.font = `${13 * devicePixelRatio}px system-ui, sans-serif`;
    context.fillStyle = document.documentElement.dataset["theme"] === "dark" ? "#e6e9ee" : "#1c2129";
    context.fillText(`${view.run.name}, t = ${time} s`, 12 * devicePixelRatio, 22 * devicePixelRatio);
    downloadCanvas(`${fileName(view.run.name, time)}.png`, canvas);
  }
}

function colorScale(title: string, gradient: string, low: number, high: number, unit: string): HTMLElement {
  const bar = make("div", { class: "bar" });
  bar.style.background = gradient;
  const end = (value: number) => make("span", {},
    value === 0 ? `0` : formatQuantity(value, unit, 3));
  const element = make("div", { class: "scale" }, title, bar, make("div", { class: "ends" }, end(low), end(high)));
  element.setAttribute("aria-label", `${title} from ${formatNumber(low, 3)} to ${formatNumber(high, 3)} ${unit}`);
  return element;
}
