// What tests ask of a page: window.grouser, described in README.md.

export interface TestHooks {
  ready: Promise<void>;
  errors: string[];
  seek(time: number): void;
  time(): number;
  play(): void;
  pause(): void;
  samples(): number;
  bodyPose(name: string): { position: number[]; orientation: number[] } | null;
  soilHeight(name: string, ix: number, iy: number): number;
  plotValues(path: string, column: number | string): number[];
  plotCount(): number;
  patchCount(): number;
  frameMilliseconds(): { mean: number; max: number; count: number };
}

declare global {
  interface Window {
    grouser: Partial<TestHooks>;
  }
}

/** Before anything else, so that no error is missed. */
export function collectErrors(ready: Promise<void>): string[] {
  const errors: string[] = [];
  addEventListener("error", (event) => errors.push(event.message));
  addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
  window.grouser = { errors, ready };
  return errors;
}

/** Script time of frames since it was last asked for. */
export class FrameTimes {
  private sum = 0;
  private max = 0;
  private count = 0;

  add(milliseconds: number): void {
    this.sum += milliseconds;
    this.max = Math.max(this.max, milliseconds);
    ++this.count;
  }

  take(): { mean: number; max: number; count: number } {
    const out = { mean: this.count > 0 ? this.sum / this.count : 0, max: this.max, count: this.count };
    this.sum = this.max = this.count = 0;
    return out;
  }
}
