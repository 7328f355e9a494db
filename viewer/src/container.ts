// Reads the container of docs/page_data.md: a JSON header and blocks of numbers.

export interface Reference {
  type: "f32" | "f64" | "u32" | "u16" | "u8";
  shape: number[];
  at: number;
  bytes: number;
  coding: "raw" | "zlib" | "shuffle-zlib";
}

const kMagic = "GRPD";
const kVersion = 1;
const kPreamble = 16;
const kElementBytes = { f32: 4, f64: 8, u32: 4, u16: 2, u8: 1 };

export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export class Container<Header> {
  readonly header: Header;
  private readonly blocks: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    if (bytes.length < kPreamble) throw new Error("the data of this page are cut off");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const magic = String.fromCharCode(...bytes.subarray(0, 4));
    if (magic !== kMagic) throw new Error(`the data of this page begin with "${magic}"`);
    const version = view.getUint32(4, true);
    if (version !== kVersion) throw new Error(`the data of this page have version ${version}`);
    const end = kPreamble + view.getUint32(8, true);
    if (end > bytes.length) throw new Error("the header of this page's data is cut off");
    this.header = JSON.parse(new TextDecoder().decode(bytes.subarray(kPreamble, end))) as Header;
    this.blocks = bytes.subarray(end);
  }

  async f32(ref: Reference): Promise<Float32Array<ArrayBuffer>> {
    return new Float32Array(await this.buffer(ref, "f32"));
  }
  async f64(ref: Reference): Promise<Float64Array<ArrayBuffer>> {
    return new Float64Array(await this.buffer(ref, "f64"));
  }
  async u32(ref: Reference): Promise<Uint32Array<ArrayBuffer>> {
    return new Uint32Array(await this.buffer(ref, "u32"));
  }

  private async buffer(ref: Reference, type: Reference["type"]): Promise<ArrayBuffer> {
    if (ref.type !== type) throw new Error(`a block has numbers of type ${ref.type}, not ${type}`);
    if (ref.at + ref.bytes > this.blocks.length) throw new Error("a block of data is cut off");
    const size = kElementBytes[ref.type];
    const count = ref.shape.reduce((product, extent) => product * extent, 1);
    const stored = this.blocks.slice(ref.at, ref.at + ref.bytes);
    let bytes = stored;
    if (ref.coding !== "raw" && count > 0) bytes = await inflate(stored);
    if (bytes.length < count * size) throw new Error("a block has fewer numbers than its shape");
    if (ref.coding === "shuffle-zlib") bytes = unshuffle(bytes, size, count);
    return bytes.buffer.slice(0, count * size);
  }
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Puts bytes that were sorted by their place in an element back into elements. */
export function unshuffle(
  planes: Uint8Array<ArrayBuffer>, size: number, count: number,
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(size * count);
  for (let b = 0; b < size; ++b) {
    const plane = b * count;
    for (let i = 0, to = b; i < count; ++i, to += size) out[to] = planes[plane + i]!;
  }
  return out;
}
