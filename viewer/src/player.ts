// The clock of the replay.

import { indexAtOrBefore } from "./run_data";

export const kSpeeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const kLongestPause = 0.25;  // s; after a hidden tab the replay goes on where it was

export interface TimeLine {
  start: number;
  end: number;
  samples: number;
  times: ArrayLike<number>;
}

export class Player {
  time = 0;
  playing = false;
  speed = 1;
  loop = false;
  private lastFrame = 0;

  constructor(private line: () => TimeLine, private readonly changed: () => void) {
    this.time = line().start;
  }

  get start(): number {
    return this.line().start;
  }
  get end(): number {
    return this.line().end;
  }

  play(): void {
    if (this.time >= this.end) this.time = this.start;
    this.playing = this.end > this.start;
    this.lastFrame = 0;
    this.changed();
  }

  pause(): void {
    this.playing = false;
    this.changed();
  }

  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.changed();
  }

  /** To the sample so many after the present one; back from between two goes to the first of them. */
  step(count: number): void {
    this.playing = false;
    const { times, samples } = this.line();
    if (samples === 0) return;
    let at = indexAtOrBefore(times, samples, this.time);
    if (count < 0 && times[at]! < this.time) ++at;
    this.seek(times[Math.min(samples - 1, Math.max(0, at + count))]!);
  }

  changeSpeed(steps: number): void {
    const at = kSpeeds.findIndex((speed) => speed >= this.speed);
    this.speed = kSpeeds[Math.min(kSpeeds.length - 1, Math.max(0, at + steps))]!;
    this.changed();
  }

  /** Moves on by the real time since the last frame. */
  advance(now: number): void {
    if (!this.playing) return;
    const passed = this.lastFrame === 0 ? 0 : Math.min(kLongestPause, (now - this.lastFrame) / 1000);
    this.lastFrame = now;
    this.time += passed * this.speed;
    if (this.time < this.end) return;
    if (this.loop && this.end > this.start) {
      this.time = this.start + (this.time - this.end) % (this.end - this.start);
      return;
    }
    this.time = this.end;
    this.playing = false;
    this.changed();
  }
}
