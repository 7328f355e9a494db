// A list of numbers that a live run extends; of a report it never grows.

type GrowingNumbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

export class Growing<T extends GrowingNumbers> {
  length: number;

  constructor(public data: T, private readonly make: (size: number) => T) {
    this.length = data.length;
  }

  append(values: T): void {
    const needed = this.length + values.length;
    if (needed > this.data.length) {
      const larger = this.make(Math.max(needed, 2 * this.data.length, 64));
      larger.set(this.view());
      this.data = larger;
    }
    this.data.set(values, this.length);
    this.length = needed;
  }

  truncate(length: number): void {
    this.length = Math.min(this.length, length);
  }

  view(): T {
    return this.data.subarray(0, this.length) as T;
  }

  last(): number {
    return this.length > 0 ? this.data[this.length - 1]! : 0;
  }
}

export type GrowingF32 = Growing<Float32Array<ArrayBuffer>>;
export type GrowingF64 = Growing<Float64Array<ArrayBuffer>>;
export type GrowingU32 = Growing<Uint32Array<ArrayBuffer>>;

export function growingF32(data: Float32Array<ArrayBuffer>): GrowingF32 {
  return new Growing(data, (size) => new Float32Array(size));
}
export function growingF64(data: Float64Array<ArrayBuffer>): GrowingF64 {
  return new Growing(data, (size) => new Float64Array(size));
}
export function growingU32(data: Uint32Array<ArrayBuffer>): GrowingU32 {
  return new Growing(data, (size) => new Uint32Array(size));
}
