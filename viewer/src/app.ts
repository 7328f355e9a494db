// The page: player, 3D view, plots and summary of one or more runs.

import { Quaternion, Vector3 } from "three";
import { DifferencePanel } from "./compare";
import { byId } from "./dom";
import { LiveRun } from "./live";
import { Player, type TimeLine } from "./player";
import { PlayerBar } from "./player_bar";
import { PlotPanel } from "./plots/panel";
import type { SeriesKey } from "./plots/series";
import type { Outcome, PageHeader, Run } from "./run_data";
import { Scene3d } from "./scene/scene3d";
import { StageTools } from "./stage_tools";
import { fillSummary } from "./summary";
import { FrameTimes, type TestHooks } from "./test_hooks";
import { Theme } from "./theme";

const kMeasureInterval = 400;  // ms between new plots and colour ranges of a live run
const kTabs = ["plots", "differences", "summary"];

export class App {
  private readonly player: Player;
  private readonly bar: PlayerBar;
  private readonly plots: PlotPanel;
  private readonly scene: Scene3d | null;
  private readonly tools: StageTools | null = null;
  private readonly differences: DifferencePanel | null = null;
  private readonly live: LiveRun | null = null;
  private readonly frameTimes = new FrameTimes();
  private readonly line: TimeLine = { start: 0, end: 0, samples: 0, times: [] };
  private shown = 0;  // index of the run in the 3D view
  private scheduled = false;
  private settledTime = NaN;  // what the numbers in the legends stand for
  private measurePending = false;
  private cameraPlaced = false;

  constructor(private readonly header: PageHeader, private readonly runs: Run[], private readonly errors: string[]) {
    this.player = new Player(() => this.timeLine(), () => this.playerChanged());
    this.bar = new PlayerBar(this.player, () => this.live?.setFollowing(false));
    this.plots = new PlotPanel(runs, (time) => {
      this.live?.setFollowing(false);
      this.player.seek(time);
    });
    this.scene = this.makeScene();
    if (this.scene !== null) {
      this.showRun(0);
      this.tools = new StageTools(this.scene, runs, (index) => this.showRun(index), () => this.player.time);
    }
    new Theme(byId("theme"), (dark) => {
      this.plots.setDark(dark);
      this.scene?.setDark(dark);
    });
    if (runs.length > 1) this.differences = this.makeDifferences();
    this.writeHead();
    this.writeSummary();
    this.listen();
    if (header.kind === "live" && runs[0] !== undefined) this.live = this.makeLive(runs[0]);
    this.frame(performance.now());
  }

  hooks(): Omit<TestHooks, "ready" | "errors"> {
    return {
      seek: (time) => {
        this.player.seek(time);
        this.frame(performance.now());
      },
      time: () => this.player.time,
      play: () => this.player.play(),
      pause: () => this.player.pause(),
      samples: () => this.runs[this.shown]?.samples ?? 0,
      bodyPose: (name) => this.bodyPose(name),
      soilHeight: (name, ix, iy) =>
        this.scene?.view?.soils.find((soil) => soil.data.name === name)?.height(ix, iy) ?? NaN,
      plotValues: (path, column) => this.plotValues(path, column),
      plotCount: () => this.plots.plots.length,
      patchCount: () => this.scene?.view?.patches.instances.count ?? 0,
      frameMilliseconds: () => this.frameTimes.take(),
    };
  }

  /** Asked for in every frame, so always the same object. */
  private timeLine(): TimeLine {
    const { line } = this;
    const run = this.runs[this.shown];
    line.samples = run?.samples ?? 0;
    line.times = run?.time.data ?? [];
    line.start = Infinity;
    line.end = -Infinity;
    for (const each of this.runs) {
      if (each.samples === 0) continue;
      line.start = Math.min(line.start, each.start);
      line.end = Math.max(line.end, each.end);
    }
    if (line.start > line.end) line.start = line.end = 0;
    return line;
  }

  private makeScene(): Scene3d | null {
    try {
      return new Scene3d(byId<HTMLCanvasElement>("canvas"), () => this.invalidate());
    } catch {
      this.sayInStage("This browser has no WebGL, so there is no 3D view. Plots and summary work.");
      byId("stage-tools").hidden = true;
      return null;
    }
  }

  private makeDifferences(): DifferencePanel {
    byId("tab-differences").hidden = false;
    return new DifferencePanel(this.runs, (key) => this.plotKey(key), (time) => this.player.seek(time));
  }

  private makeLive(run: Run): LiveRun {
    return new LiveRun({
      run,
      samplesCame: () => this.samplesCame(),
      samplesReplaced: () => this.scene?.view?.reset(),
      restarted: () => this.restarted(),
      outcomeCame: (outcome) => this.outcomeCame(run, outcome),
      failed: (error) => {
        this.errors.push(String(error));
        console.error(error);
      },
    });
  }

  private showRun(index: number): void {
    const run = this.runs[index];
    if (this.scene === null || run === undefined) return;
    this.shown = index;
    const others = this.runs.map((each, i) => ({ run: each, index: i })).filter((each) => each.index !== index);
    this.scene.setRun(run, others);
    this.scene.show(this.player.time);
    if (!this.cameraPlaced) {
      this.scene.resize();
      this.scene.resetCamera();
      this.cameraPlaced = true;
    }
    this.tools?.fill();
    this.invalidate();
  }

  private samplesCame(): void {
    if (this.live?.followsEnd !== false && !this.player.playing) this.player.seek(this.player.end);
    this.invalidate();
    if (this.measurePending) return;
    this.measurePending = true;
    setTimeout(() => this.measureAgain(), kMeasureInterval);
  }

  /** Plots, ranges and the view catch up with the samples, not at every one of them. */
  private measureAgain(): void {
    this.measurePending = false;
    if (this.scene?.growView() === "grown") {
      const steered = this.scene.cameraSteered;
      this.showRun(this.shown);
      if (!steered) this.scene.resetCamera();
    }
    this.tools?.updateLegend();
    this.plots.refresh();
    this.invalidate();
  }

  private restarted(): void {
    this.scene?.view?.reset();
    this.plots.refresh();
    this.player.pause();
    this.player.seek(0);
  }

  private outcomeCame(run: Run, outcome: Outcome): void {
    run.outcome = outcome;
    this.measureAgain();
    this.writeHead();
    this.writeSummary();
  }

  private writeHead(): void {
    const run = this.runs[0];
    const title = this.runs.map((each) => each.name).join(" · ") || "No run";
    document.title = `${title} – grouser`;
    byId("title").textContent = title;
    byId("subtitle").textContent = run === undefined ? "" : `${run.about.scenePath} · ${this.header.generator}`;
    const bad = this.runs.find((each) => each.outcome.status === "failed" || each.outcome.status === "interrupted");
    const warnings = this.runs.reduce((sum, each) => sum + each.outcome.warnings.length, 0);
    const badge = byId("status");
    const words = [bad?.outcome.status ?? run?.outcome.status ?? ""];
    if (warnings > 0) words.push(warnings === 1 ? "1 warning" : `${warnings} warnings`);
    badge.textContent = words.filter((word) => word !== "").join(", ");
    badge.hidden = badge.textContent === "";
    badge.classList.toggle("bad", bad !== undefined);
  }

  private writeSummary(): void {
    fillSummary(this.runs, this.header, this.scene?.view?.bodies.notDrawn ?? []);
  }

  private sayInStage(text: string): void {
    const message = byId("stage-message");
    message.textContent = text;
    message.hidden = false;
  }

  private listen(): void {
    for (const tab of kTabs)
      byId(`tab-${tab}`).addEventListener("click", () => this.openTab(tab));
    const help = byId<HTMLDialogElement>("help-dialog");
    byId("help").addEventListener("click", () => help.showModal());
    byId("help-close").addEventListener("click", () => help.close());
    byId("model-close").addEventListener("click", () => byId<HTMLDialogElement>("model-dialog").close());
    addEventListener("keydown", (event) => this.key(event));
    if (this.scene !== null)
      new ResizeObserver(() => this.scene?.resize()).observe(byId("stage"));
  }

  private openTab(name: string): void {
    for (const tab of kTabs) {
      byId(tab).hidden = tab !== name;
      byId(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
    }
    byId("add-plot").hidden = name !== "plots";
    if (name === "differences") this.differences?.open();
  }

  private plotKey(key: SeriesKey): void {
    this.openTab("plots");
    const plot = this.plots.plots.find((each) => each.has(key)) ?? this.plots.add("", [key]);
    plot.card.scrollIntoView({ block: "nearest" });
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) return;
    if (target.matches("select, input:not([type=range])")) return;
    // A focused button has its own use of the space bar.
    if (event.key === " " && target.matches("button, summary")) return;
    const actions: Record<string, () => void> = {
      "f": () => this.tools?.followNext(),
      "r": () => this.scene?.resetCamera(),
      "?": () => byId<HTMLDialogElement>("help-dialog").showModal(),
    };
    const action = actions[event.key];
    if (action !== undefined) action();
    else if (!this.bar.key(event)) return;
    event.preventDefault();
  }

  /** The bar answers at once, however long a picture takes. */
  private playerChanged(): void {
    this.bar.update();
    this.invalidate();
  }

  private invalidate(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    this.scheduled = false;
    const begin = performance.now();
    this.player.advance(now);
    this.bar.update();
    this.plots.setTime(this.player.time);
    if (!this.player.playing && this.player.time !== this.settledTime) {
      this.settledTime = this.player.time;
      this.plots.settle();
    }
    this.scene?.show(this.player.time);
    this.tools?.update();
    this.scene?.render();
    if (this.player.playing) this.invalidate();
    this.frameTimes.add(performance.now() - begin);
  }

  private bodyPose(name: string): { position: number[]; orientation: number[] } | null {
    const object = this.scene?.view?.bodies.object(name);
    if (object === undefined) return null;
    const position = new Vector3();
    const rotation = new Quaternion();
    object.updateWorldMatrix(true, false);
    object.matrixWorld.decompose(position, rotation, new Vector3());
    return { position: position.toArray(), orientation: [rotation.w, rotation.x, rotation.y, rotation.z] };
  }

  /** Of the first run that has it, as the plot got it, without gaps. */
  private plotValues(path: string, column: number | string): number[] {
    for (const { table } of this.plots.plots) {
      const index = table.lines.findIndex((line) => line.key.path === path &&
        (line.key.column === column ||
          this.runs[line.runIndex]!.channel(path)!.columns[line.key.column] === column));
      if (index < 0) continue;
      return Array.from(table.columns[index + 1]!).filter((value) => value !== null);
    }
    return [];
  }
}
