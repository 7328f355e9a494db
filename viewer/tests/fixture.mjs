// Writes containers as docs/page_data.md describes them, and makes runs to put into them.
import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

const bytesOf = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);
const padded = (buffer, size = 8, fill = 0) =>
  Buffer.concat([buffer, Buffer.alloc((size - (buffer.length % size)) % size, fill)]);

function shuffled(bytes, size) {
  const count = bytes.length / size;
  const out = Buffer.alloc(bytes.length);
  for (let i = 0; i < count; ++i) for (let b = 0; b < size; ++b) out[b * count + i] = bytes[i * size + b];
  return out;
}

const kTypes = [[Float32Array, "f32"], [Float64Array, "f64"], [Uint32Array, "u32"], [Uint16Array, "u16"], [Uint8Array, "u8"]];

/** Collects blocks; add() gives the reference to put into the header. */
export class ContainerWriter {
  blocks = [];
  at = 0;

  add(array, shape = [array.length], coding = "shuffle-zlib") {
    const type = kTypes.find(([kind]) => array instanceof kind)[1];
    let bytes = bytesOf(array);
    if (coding === "shuffle-zlib") bytes = shuffled(bytes, array.BYTES_PER_ELEMENT);
    if (coding !== "raw") bytes = deflateSync(bytes);
    const reference = { type, shape, at: this.at, bytes: bytes.length, coding };
    const block = padded(bytes);
    this.blocks.push(block);
    this.at += block.length;
    return reference;
  }

  finish(header) {
    const text = padded(Buffer.from(JSON.stringify(header), "utf8"), 8, 0x20);
    const start = Buffer.alloc(16);
    start.write("GRPD", 0, "latin1");
    start.writeUInt32LE(1, 4);
    start.writeUInt32LE(text.length, 8);
    return Buffer.concat([start, text, ...this.blocks]);
  }
}

/**
 * A run in plain numbers: { name, time, channels: [{ path, unit, columns, description, data: [[...]] }],
 * shapes, patches: [{ path, perSample: [[row, ...], ...] }], soils: [{ ..., changes: [[[node, value], ...], ...] }] }.
 */
export function runHeader(writer, run) {
  const n = run.time.length;
  return {
    name: run.name, path: `results/${run.name}.h5`, scenePath: `scenes/${run.name}.toml`,
    sceneText: run.sceneText ?? "# a scene\n", grouserVersion: "0.1.0", startDate: "2026-11-15T10:00:00Z",
    status: run.status ?? "complete", message: "",
    summary: run.summary ?? [["steps", "1234"], ["evaluations", "5678"], ["real time", "0.82 s"]],
    warnings: run.warnings ?? [], metadata: [["set 1", "simulation.duration=2"]],
    parameters: run.parameters ?? [], recordedSamples: n, samples: n,
    time: writer.add(Float64Array.from(run.time)),
    channels: (run.channels ?? []).map(({ data, ...rest }) => ({
      ...rest, data: writer.add(Float32Array.from(data.flat()), [data.length, n]),
    })),
    shapes: (run.shapes ?? []).map(({ vertices, triangles, ...rest }) => ({
      numbers: [], ...rest,
      ...(vertices ? { vertices: writer.add(Float32Array.from(vertices.flat()), [vertices.length, 3]) } : {}),
      ...(triangles ? { triangles: writer.add(Uint32Array.from(triangles.flat()), [triangles.length, 3], "zlib") } : {}),
    })),
    patches: (run.patches ?? []).map((patch) => {
      const rows = patch.perSample.flat();
      return {
        path: patch.path, columns: kPatchColumns, units: ["m", "m", "m", "N", "N", "N", "m", "m^2", ""],
        description: "contact elements", frames: writer.add(Uint32Array.from(patch.perSample.keys())),
        offsets: writer.add(offsetsOf(patch.perSample)),
        data: writer.add(Float32Array.from(kPatchColumns.flatMap((_, c) => rows.map((row) => row[c]))), [kPatchColumns.length, rows.length]),
      };
    }),
    soils: (run.soils ?? []).map((soil) => {
      const rows = soil.changes.flat();
      return {
        name: soil.name, origin: soil.origin, spacing: soil.spacing, nx: soil.nx, ny: soil.ny,
        heights: writer.add(Float32Array.from(soil.initial), [soil.ny, soil.nx]),
        offsets: writer.add(offsetsOf(soil.changes)),
        nodes: writer.add(Uint32Array.from(rows.map((row) => row[0]))),
        values: writer.add(Float32Array.from(rows.map((row) => row[1]))),
      };
    }),
  };
}

export function offsetsOf(lists) {
  const out = new Uint32Array(lists.length + 1);
  lists.forEach((list, i) => { out[i + 1] = out[i] + list.length; });
  return out;
}

export const kPatchColumns = ["x", "y", "z", "force_x", "force_y", "force_z", "penetration", "area", "index"];

export function container(kind, runs) {
  const writer = new ContainerWriter();
  return writer.finish({ kind, generator: "grouser 0.1.0", runs: runs.map((run) => runHeader(writer, run)) });
}

export function writePage(template, file, bytes) {
  const page = readFileSync(template, "utf8");
  writeFileSync(file, page.replace("@GROUSER_DATA@", () => bytes.toString("base64")));
}

/** Samples first to end of a run as an event of a live view carries them. */
export function samplesEvent(run, first, end) {
  const writer = new ContainerWriter();
  const raw = (array, shape) => writer.add(array, shape, "raw");
  const count = end - first;
  const values = run.channels.flatMap((channel) => channel.data.flatMap((column) => Array.from(column.slice(first, end))));
  const header = {
    first, count, time: raw(Float64Array.from(run.time.slice(first, end))),
    values: raw(Float32Array.from(values), [values.length / count, count]),
    patches: (run.patches ?? []).map((patch) => {
      const lists = patch.perSample.slice(first, end);
      const rows = lists.flat();
      return { offsets: raw(offsetsOf(lists)), data: raw(Float32Array.from(kPatchColumns.flatMap((_, c) => rows.map((row) => row[c]))), [9, rows.length]) };
    }),
    soils: (run.soils ?? []).map((soil) => {
      const lists = soil.changes.slice(first, end);
      const rows = lists.flat();
      return {
        offsets: raw(offsetsOf(lists)), nodes: raw(Uint32Array.from(rows.map((row) => row[0]))),
        values: raw(Float32Array.from(rows.map((row) => row[1]))),
      };
    }),
  };
  return writer.finish(header).toString("base64");
}

const scalar = (path, unit, description, values) => ({ path, unit, columns: [""], description, data: [values] });
const vector = (path, unit, description, rows, columns = ["x", "y", "z"]) =>
  ({ path, unit, columns, description, data: columns.map((_, c) => rows.map((row) => row[c])) });

export function sphereMesh(radius, stacks = 24, slices = 36) {
  const vertices = [];
  const triangles = [];
  for (let i = 0; i <= stacks; ++i)
    for (let j = 0; j < slices; ++j) {
      const a = Math.PI * i / stacks;
      const b = 2 * Math.PI * j / slices;
      vertices.push([radius * Math.sin(a) * Math.cos(b), radius * Math.sin(a) * Math.sin(b), radius * Math.cos(a)]);
    }
  for (let i = 0; i < stacks; ++i)
    for (let j = 0; j < slices; ++j) {
      const [a, b] = [i * slices + j, i * slices + (j + 1) % slices];
      triangles.push([a, a + slices, b + slices], [a, b + slices, b]);
    }
  return { vertices, triangles };
}

/** A wheel about the y axis, with grousers: the rim goes out and in. */
export function wheelMesh(radius, width, segments = 48) {
  const vertices = [];
  const triangles = [];
  for (const y of [-width / 2, width / 2])
    for (let j = 0; j < segments; ++j) {
      const r = radius * (j % 4 === 0 ? 1 : 0.94);
      vertices.push([r * Math.cos(2 * Math.PI * j / segments), y, r * Math.sin(2 * Math.PI * j / segments)]);
    }
  vertices.push([0, -width / 2, 0], [0, width / 2, 0]);
  for (let j = 0; j < segments; ++j) {
    const k = (j + 1) % segments;
    triangles.push([j, segments + k, segments + j], [j, k, segments + k],
      [2 * segments, k, j], [2 * segments + 1, segments + j, segments + k]);
  }
  return { vertices, triangles };
}

export function boxMesh(x, y, z) {
  const vertices = [];
  for (let i = 0; i < 8; ++i) vertices.push([(i & 1 ? x : -x) / 2, (i & 2 ? y : -y) / 2, (i & 4 ? z : -z) / 2]);
  const quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  return { vertices, triangles: quads.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]) };
}

/** A ball drops, bounces and rolls on a half space; one patch of many elements while it touches. */
export function bounce({ name = "bounce", drop = 1.0, interval = 0.01, duration = 3 } = {}) {
  const [mass, radius, gravity, stiffness, damping] = [2, 0.15, 9.81, 8e4, 40];
  const time = [];
  const rows = [];
  let [z, v] = [drop, 0];
  const dt = 1e-4;
  const every = Math.round(interval / dt);
  for (let step = 0; step <= Math.round(duration / dt); ++step) {
    const depth = Math.max(0, radius - z);
    const force = depth > 0 ? Math.max(0, stiffness * depth - damping * v) : 0;
    if (step % every === 0) {
      time.push(step * dt);
      rows.push({ z, v, depth, force, x: 0.25 * step * dt });
    }
    v += dt * (force / mass - gravity);
    z += dt * v;
  }
  const turn = (x) => [Math.cos(x / radius / 2), 0, Math.sin(x / radius / 2), 0];
  const channels = [
    vector("bodies/ball/position", "m", "of the body's origin, in the world", rows.map((r) => [r.x, 0, r.z])),
    vector("bodies/ball/orientation", "", "unit quaternion, body to world", rows.map((r) => turn(r.x)), ["w", "x", "y", "z"]),
    vector("bodies/ball/velocity", "m/s", "of the body's origin", rows.map((r) => [0.25, 0, r.v])),
    scalar("bodies/ball/speed", "m/s", "size of velocity", rows.map((r) => Math.hypot(0.25, r.v))),
    vector("contacts/ball_on_ground/force", "N", "on body 'ball', in the world", rows.map((r) => [-0.15 * r.force, 0, r.force])),
    vector("contacts/ball_on_ground/torque", "Nm", "on body 'ball', about its origin, in the world", rows.map((r) => [0, 0.02 * r.force, 0])),
    scalar("contacts/ball_on_ground/penetration", "m", "greatest penetration of a contact element", rows.map((r) => r.depth)),
    scalar("contacts/ball_on_ground/elastic_energy", "J", "stored in the layers", rows.map((r) => stiffness * r.depth ** 2 / 2)),
    scalar("system/kinetic_energy", "J", "of all bodies", rows.map((r) => mass * r.v ** 2 / 2)),
    scalar("system/potential_energy", "J", "of gravity and joint springs", rows.map((r) => mass * gravity * r.z)),
  ];
  const patch = rows.map((r) => (r.depth > 0 ? discElements(r, radius) : []));
  return {
    name, time, channels, warnings: ["contact ball_on_ground: penetration beyond the layer, 3 times"],
    shapes: [
      { name: "ball", body: "ball", kind: "mesh", ...sphereMesh(radius) },
      { name: "ground", body: "world", kind: "half_space", numbers: [["x", 0], ["y", 0], ["z", 0], ["qw", 1], ["qx", 0], ["qy", 0], ["qz", 0]] },
    ],
    patches: [{ path: "contacts/ball_on_ground/elements", perSample: patch }],
    parameters: [{ section: "contact ball_on_ground", model: "pcm", rows: [["friction", "0.3", "", "coefficient of friction"], ["young_modulus", "1e5", "Pa", "of the layer"]] }],
  };
}

function discElements({ x, depth, force }, radius) {
  const reach = Math.sqrt(2 * radius * depth);
  const spacing = reach / 5;
  const out = [];
  for (let i = -5; i <= 5; ++i)
    for (let j = -5; j <= 5; ++j) {
      const r = Math.hypot(i, j) / 5;
      if (r < 1) out.push([x + i * spacing, j * spacing, 0, 0, 0, 1 - r * r, depth * (1 - r * r), spacing ** 2, out.length]);
    }
  const sum = out.reduce((total, row) => total + row[5], 0);
  for (const row of out) {
    row[5] *= force / sum;
    row[3] = -0.15 * row[5];
  }
  return out;
}

/** Six wheels and a chassis drive over a window of soil and leave two ruts. */
export function rover({ name = "rover", duration = 30, interval = 0.05, nx = 200, ny = 200 } = {}) {
  const [radius, width, speed, slip] = [0.125, 0.12, 0.08, 0.2];
  const spacing = 0.018;
  const origin = [-0.6, -0.5 * ny * spacing];
  const time = Array.from({ length: Math.round(duration / interval) + 1 }, (_, k) => k * interval);
  const hill = (x, y) => 0.03 * Math.sin(1.8 * x) * Math.cos(1.3 * y) + 0.004 * Math.sin(17 * x + 3 * y) * Math.sin(13 * y);
  const initial = Array.from({ length: nx * ny }, (_, i) => hill(origin[0] + (i % nx) * spacing, origin[1] + Math.floor(i / nx) * spacing));
  const wheels = [["front", 0.4], ["middle", 0], ["rear", -0.4]].flatMap(([row, x]) =>
    [["left", 0.35], ["right", -0.35]].map(([side, y]) => ({ name: `wheel_${row}_${side}`, x, y })));
  const sink = (wheel, t) => 0.022 * Math.min(1, t / 2) * (1 + 0.15 * Math.sin(0.7 * t + 3 * wheel.x));
  const forwards = (t) => speed * Math.max(0, t - 1);
  const place = (wheel, t) => {
    const x = wheel.x + forwards(t);
    return [x, wheel.y, hill(x, wheel.y) - sink(wheel, t) + radius];
  };
  const spin = speed / radius / (1 - slip);
  const channels = [
    vector("bodies/chassis/position", "m", "of the body's origin, in the world", time.map((t) => [forwards(t), 0, 0.42 + hill(forwards(t), 0)])),
    vector("bodies/chassis/orientation", "", "unit quaternion, body to world", time.map(() => [1, 0, 0, 0]), ["w", "x", "y", "z"]),
  ];
  const shapes = [{ name: "chassis", body: "chassis", kind: "mesh", ...boxMesh(0.8, 0.45, 0.16) }];
  const patches = [];
  for (const wheel of wheels) {
    const angle = (t) => spin * Math.max(0, t - 1);
    const torque = time.map((t) => (t > 1 ? 4 : 0) + 0.6 * Math.sin(2 * t + 5 * wheel.x + wheel.y) * (t > 1 ? 1 : 0));
    const load = time.map((t) => 60 + 12 * Math.sin(0.9 * t + 4 * wheel.x));
    channels.push(
      vector(`bodies/${wheel.name}/position`, "m", "of the body's origin, in the world", time.map((t) => place(wheel, t))),
      vector(`bodies/${wheel.name}/orientation`, "", "unit quaternion, body to world", time.map((t) => [Math.cos(angle(t) / 2), 0, Math.sin(angle(t) / 2), 0]), ["w", "x", "y", "z"]),
      vector(`bodies/${wheel.name}/velocity`, "m/s", "of the body's origin", time.map((t) => [t > 1 ? speed * (1 + 0.06 * Math.sin(t + 9 * wheel.x)) : 0, 0, 0])),
      vector(`bodies/${wheel.name}/angular_velocity`, "rad/s", "in the world", time.map((t) => [0, t > 1 ? spin : 0, 0])),
      scalar(`joints/${wheel.name}_spin/position`, "rad", "joint coordinate", time.map(angle)),
      scalar(`joints/${wheel.name}_spin/velocity`, "rad/s", "joint speed", time.map((t) => (t > 1 ? spin : 0))),
      scalar(`motors/${wheel.name}/effort`, "Nm", "torque or force of the motor", torque),
      scalar(`motors/${wheel.name}/power`, "W", "of the motor on its joint", time.map((t, k) => (t > 1 ? spin * torque[k] : 0))),
      vector(`contacts/${wheel.name}/force`, "N", `on body '${wheel.name}', in the world`, time.map((t, k) => [12, 2 * Math.sin(t), load[k]])),
      vector(`contacts/${wheel.name}/torque`, "Nm", `on body '${wheel.name}', about its origin, in the world`, torque.map((m) => [0, -m, 0])),
      scalar(`contacts/${wheel.name}/sinkage`, "m", "lowest point in contact below the undisturbed ground", time.map((t) => sink(wheel, t))),
      scalar(`contacts/${wheel.name}/slip`, "", "(rim speed - travel) / the larger of them; 0 at rest", time.map((t) => (t > 1 ? slip : 0))));
    shapes.push({ name: wheel.name, body: wheel.name, kind: "mesh", ...wheelMesh(radius, width) });
    patches.push({ path: `contacts/${wheel.name}/elements`, perSample: time.map((t, k) => wheelElements(place(wheel, t), radius, width, sink(wheel, t), load[k])) });
  }
  channels.push(scalar("system/kinetic_energy", "J", "of all bodies", time.map((t) => (t > 1 ? 0.4 : 0))));
  const changes = ruts({ time, wheels, place, radius, width, nx, ny, spacing, origin, initial });
  return {
    name, time, channels, shapes, patches,
    soils: [{ name: "ground", origin, spacing, nx, ny, initial, changes }],
    parameters: wheels.map((wheel) => ({ section: `motor ${wheel.name}`, model: "", rows: [["joint", `${wheel.name}_spin`, "", "driven joint"], ["limit", "30", "Nm", "greatest torque"]] })),
  };
}

function wheelElements([x, y, z], radius, width, sink, load) {
  const out = [];
  const half = Math.acos(1 - Math.min(0.9, sink / radius));
  for (let i = -5; i <= 5; ++i)
    for (let j = -3; j <= 3; ++j) {
      const a = half * i / 5.5;
      const share = Math.cos(a / half * 1.4);
      out.push([x + radius * Math.sin(a), y + j * width / 7, z - radius * Math.cos(a), -Math.sin(a) * share, 0, Math.cos(a) * share,
        sink * share, half * radius / 5.5 * width / 7, out.length]);
    }
  const sum = out.reduce((total, row) => total + row[5], 0) || 1;
  for (const row of out) for (const c of [3, 4, 5]) row[c] *= load / sum;
  return out;
}

/** Wheels press nodes below their rim down; beside them soil is heaped up a little. */
function ruts({ time, wheels, place, radius, width, nx, ny, spacing, origin, initial }) {
  const heights = Float32Array.from(initial);
  return time.map((t) => {
    const changed = new Map();
    const set = (node, value) => {
      heights[node] = value;
      changed.set(node, heights[node]);
    };
    for (const wheel of wheels) {
      const [x, y, z] = place(wheel, t);
      const [ix0, ix1] = [Math.ceil((x - radius - origin[0]) / spacing), Math.floor((x + radius - origin[0]) / spacing)];
      const [iy0, iy1] = [Math.ceil((y - 0.7 * width - origin[1]) / spacing), Math.floor((y + 0.7 * width - origin[1]) / spacing)];
      for (let iy = Math.max(0, iy0); iy <= Math.min(ny - 1, iy1); ++iy)
        for (let ix = Math.max(0, ix0); ix <= Math.min(nx - 1, ix1); ++ix) {
          const node = iy * nx + ix;
          const across = Math.abs(origin[1] + iy * spacing - y);
          const rim = z - Math.sqrt(Math.max(0, radius ** 2 - (origin[0] + ix * spacing - x) ** 2));
          if (rim >= initial[node]) continue;
          if (across <= 0.5 * width && rim < heights[node]) set(node, rim);
          else if (across > 0.5 * width && heights[node] < initial[node] + 0.006) set(node, Math.min(initial[node] + 0.006, initial[node] + 0.3 * (initial[node] - rim)));
        }
    }
    return [...changed];
  });
}

export function empty({ name = "empty" } = {}) {
  return { name, time: [], channels: [], status: "failed", warnings: [] };
}

/** Heights of a soil at a sample, from the changes themselves. */
export function soilAt(soil, sample) {
  const heights = Float32Array.from(soil.initial);
  for (let k = 0; k <= sample; ++k) for (const [node, value] of soil.changes[k]) heights[node] = value;
  return heights;
}
