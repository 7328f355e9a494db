// Buttons, slider and keys of the player.

import { byId, make } from "./dom";
import { kSpeeds, type Player } from "./player";
import { formatTime } from "./units";

export class PlayerBar {
  private readonly playButton = byId("play");
  private readonly scrub = byId<HTMLInputElement>("scrub");
  private readonly clock = byId("clock");
  private readonly speed = byId<HTMLSelectElement>("speed");
  private range = { start: NaN, end: NaN };

  /** `steered` is called whenever somebody takes the replay into their hands. */
  constructor(private readonly player: Player, private readonly steered: () => void) {
    this.speed.append(...kSpeeds.map((speed) => make("option", { value: String(speed) }, `${speed}×`)));
    this.on("play", () => this.toggle());
    this.on("to-start", () => player.seek(player.start));
    this.on("to-end", () => player.seek(player.end));
    this.on("step-back", () => player.step(-1));
    this.on("step-forward", () => player.step(1));
    this.scrub.addEventListener("input", () => {
      this.steered();
      player.seek(Number(this.scrub.value));
    });
    this.speed.addEventListener("change", () => { player.speed = Number(this.speed.value); });
    const loop = byId<HTMLInputElement>("loop");
    loop.addEventListener("change", () => { player.loop = loop.checked; });
    this.update();
  }

  toggle(): void {
    if (this.player.playing) this.player.pause();
    else this.player.play();
  }

  /** Whether the key was one of the player's. */
  key(event: KeyboardEvent): boolean {
    const steps = event.shiftKey ? 10 : 1;
    const actions: Record<string, () => void> = {
      " ": () => this.toggle(),
      "ArrowLeft": () => this.player.step(-steps),
      "ArrowRight": () => this.player.step(steps),
      "Home": () => this.player.seek(this.player.start),
      "End": () => this.player.seek(this.player.end),
      "[": () => this.player.changeSpeed(-1),
      "]": () => this.player.changeSpeed(1),
    };
    const action = actions[event.key];
    if (action === undefined) return false;
    if (event.key !== "[" && event.key !== "]") this.steered();
    action();
    return true;
  }

  update(): void {
    const { player, scrub } = this;
    const { start, end } = player;
    const label = player.playing ? "Pause" : "Play";
    if (this.playButton.getAttribute("aria-label") !== label)
      this.playButton.setAttribute("aria-label", label);
    if (start !== this.range.start || end !== this.range.end) this.setRange(start, end);
    scrub.value = String(player.time);
    const text = `${formatTime(player.time, end - start)} / ${formatTime(end, end - start)} s`;
    if (this.clock.textContent !== text) {
      this.clock.textContent = text;
      scrub.setAttribute("aria-valuetext", text);
    }
    const speed = String(player.speed);
    if (this.speed.value !== speed) this.speed.value = speed;
  }

  private setRange(start: number, end: number): void {
    this.range = { start, end };
    this.scrub.min = String(start);
    this.scrub.max = String(end > start ? end : start + 1);
    this.scrub.disabled = !(end > start);
  }

  private on(id: string, action: () => void): void {
    byId(id).addEventListener("click", () => {
      this.steered();
      action();
    });
  }
}
