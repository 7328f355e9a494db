// A run that goes on while the page shows it: samples by server-sent events, orders by POST.

import { bytesOfBase64, Container } from "./container";
import { byId } from "./dom";
import type { Outcome, Run, SamplesHeader } from "./run_data";
import { formatNumber } from "./units";

interface LiveState {
  state: "ready" | "running" | "paused" | "finished";
  time: number;
  duration: number;
  speed: number;
}

export interface LiveHost {
  run: Run;
  samplesCame(): void;
  samplesReplaced(): void;
  restarted(): void;
  outcomeCame(outcome: Outcome): void;
  failed(error: unknown): void;
}

const kStateNames = { ready: "Ready", running: "Running", paused: "Paused", finished: "Finished" };

export class LiveRun {
  followsEnd = true;
  private readonly stateText = byId("live-state");
  private readonly startButton = byId<HTMLButtonElement>("live-start");
  private readonly pauseButton = byId<HTMLButtonElement>("live-pause");
  private readonly restartButton = byId<HTMLButtonElement>("live-restart");
  private readonly followButton = byId<HTMLButtonElement>("live-follow");
  private state: LiveState | null = null;
  private connected = false;
  private work: Promise<void> = Promise.resolve();  // events are handled one after the other

  constructor(private readonly host: LiveHost) {
    byId("live-controls").hidden = false;
    this.startButton.addEventListener("click", () => this.order("start"));
    this.pauseButton.addEventListener("click", () => this.order("pause"));
    this.restartButton.addEventListener("click", () => this.order("restart"));
    this.followButton.addEventListener("click", () => this.setFollowing(!this.followsEnd));
    this.listen();
    this.show();
  }

  setFollowing(follows: boolean): void {
    this.followsEnd = follows;
    this.followButton.setAttribute("aria-pressed", String(follows));
    if (follows) this.host.samplesCame();
  }

  private listen(): void {
    const events = new EventSource("events");
    events.addEventListener("open", () => this.setConnected(true));
    events.addEventListener("error", () => this.setConnected(false));
    this.on(events, "samples", async (text) => {
      const container = new Container<SamplesHeader>(bytesOfBase64(text));
      const again = container.header.first < this.host.run.samples;
      await this.host.run.append(container);
      // After a lost connection the server begins anew, perhaps with another run.
      if (again) this.host.samplesReplaced();
      this.host.samplesCame();
    });
    this.on(events, "state", async (text) => {
      this.state = JSON.parse(text) as LiveState;
      this.show();
    });
    this.on(events, "restart", async () => {
      this.host.run.truncate(0);
      this.setFollowing(true);
      this.host.restarted();
    });
    this.on(events, "outcome", async (text) => this.host.outcomeCame(JSON.parse(text) as Outcome));
  }

  private on(events: EventSource, name: string, handle: (text: string) => Promise<void>): void {
    events.addEventListener(name, (event) => {
      const text = (event as MessageEvent<string>).data;
      this.work = this.work.then(() => handle(text)).catch((error: unknown) => this.host.failed(error));
    });
  }

  private setConnected(connected: boolean): void {
    this.connected = connected;
    this.show();
  }

  private async order(what: "start" | "pause" | "restart"): Promise<void> {
    try {
      const answer = await fetch("control", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Grouser": "page" },
        body: JSON.stringify({ do: what }),
      });
      if (!answer.ok) this.say(`The server refused: ${answer.status}`, true);
    } catch {
      this.setConnected(false);
    }
  }

  private show(): void {
    const state = this.state?.state;
    this.startButton.disabled = !this.connected || state === "running" || state === "finished";
    this.startButton.textContent = state === "paused" ? "Continue" : "Start";
    this.pauseButton.disabled = !this.connected || state !== "running";
    this.restartButton.disabled = !this.connected || state === undefined || state === "ready";
    if (!this.connected && this.state !== null) {
      this.say("The server is gone. What has arrived stays here.", true);
    } else if (!this.connected) {
      this.say("Connecting …", false);
    } else if (this.state !== null) {
      const { time, duration, speed } = this.state;
      const pace = state === "running" && speed > 0 ? `, ${formatNumber(speed, 2)} × real time` : "";
      this.say(`${kStateNames[this.state.state]}: ${formatNumber(time, 4)} of ${formatNumber(duration, 4)} s${pace}`, false);
    } else {
      this.say("Connected", false);
    }
  }

  private say(text: string, bad: boolean): void {
    this.stateText.textContent = text;
    this.stateText.classList.toggle("bad", bad);
  }
}
