import assert from "node:assert/strict";
import { test } from "node:test";
import { bounce, container, ContainerWriter, rover, samplesEvent, soilAt } from "./fixture.mjs";
import { loadModules } from "./modules.mjs";

const m = await loadModules("container", "run_data", "soil_history", "units", "differences",
  "player", "plots/series", "plots/export", "plots/defaults", "colors", "shape_measures");

async function readOne(run, kind = "report") {
  const data = new m.Container(new Uint8Array(container(kind, [run])));
  return m.readRun(data, data.header.runs[0]);
}

const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test("container: every coding and type gives back its numbers", async () => {
  for (const coding of ["raw", "zlib", "shuffle-zlib"]) {
    const writer = new ContainerWriter();
    const header = {
      a: writer.add(Float32Array.of(1.5, -2, 3e-7), [3], coding),
      b: writer.add(Float64Array.of(Math.PI, 1e300), [2], coding),
      c: writer.add(Uint32Array.of(7, 4294967295), [1, 2], coding),
      d: writer.add(new Float32Array(0), [3, 0], coding),
    };
    const data = new m.Container(new Uint8Array(writer.finish(header)));
    assert.deepEqual(await data.f32(data.header.a), Float32Array.of(1.5, -2, 3e-7));
    assert.deepEqual(await data.f64(data.header.b), Float64Array.of(Math.PI, 1e300));
    assert.deepEqual(await data.u32(data.header.c), Uint32Array.of(7, 4294967295));
    assert.equal((await data.f32(data.header.d)).length, 0);
  }
});

test("container: what is not one is refused in words", async () => {
  assert.throws(() => new m.Container(new Uint8Array(3)), /cut off/);
  assert.throws(() => new m.Container(new Uint8Array(Buffer.from("HDF5" + "\0".repeat(28)))), /begin with "HDF5"/);
  const bytes = container("report", [bounce()]);
  const short = new m.Container(new Uint8Array(bytes.subarray(0, bytes.length - 4000)));
  await assert.rejects(m.readRun(short, short.header.runs[0]), /cut off/);
});

test("base64 with line ends around it", () => {
  assert.deepEqual(m.bytesOfBase64("\n AAEC\n"), Uint8Array.of(0, 1, 2));
});

test("poses between samples", async () => {
  const half = Math.SQRT1_2;
  const run = await readOne({ name: "turn", time: [0, 1, 3], channels: [
    { path: "bodies/b/position", unit: "m", columns: ["x", "y", "z"], description: "", data: [[0, 2, 4], [0, 0, 0], [1, 1, 5]] },
    // The second half is written with the other sign, which is the same turn.
    { path: "bodies/b/orientation", unit: "", columns: ["w", "x", "y", "z"], description: "", data: [[1, -half, -half], [0, 0, 0], [0, 0, 0], [0, -half, -half]] },
  ] });
  const pose = m.identityPose();
  const at = (time) => {
    const sample = run.sampleAt(time);
    run.poseAt(run.bodies[0], sample, run.fractionAfter(sample, time), pose);
    return pose;
  };
  assert.deepEqual(at(2).position, [3, 0, 3]);
  assert.deepEqual(at(-5).position, [0, 0, 1]);
  assert.deepEqual(at(9).position, [4, 0, 5]);
  const q = at(0.5).orientation;
  near(q[0], Math.cos(Math.PI / 8), 1e-7);  // half way of a quarter turn is exact
  near(q[3], Math.sin(Math.PI / 8), 1e-7);
});

test("a time that is a sample's but for rounding means that sample", async () => {
  const run = await readOne({ name: "r", time: [0, 0.1 + 0.2], channels: [] });
  assert.equal(run.sampleAt(0.3), 1);
});

test("soil: forwards, backwards and jumps give the recorded heights", async () => {
  const fixture = rover({ duration: 12, interval: 0.1, nx: 120, ny: 120 });
  const run = await readOne(fixture);
  const history = new m.SoilHistory(run.soils[0]);
  for (const sample of [0, 5, 40, 41, 40, 3, 120, 60, 119, -1, 80]) {
    history.seek(sample);
    assert.deepEqual(history.heights, soilAt(fixture.soils[0], sample), `sample ${sample}`);
  }
});

test("soil: all changed nodes lie in the box", async () => {
  const fixture = rover({ duration: 6, interval: 0.1, nx: 120, ny: 120 });
  const run = await readOne(fixture);
  const history = new m.SoilHistory(run.soils[0]);
  let before = history.heights.slice();
  for (const sample of [2, 30, 31, 4]) {
    const { ix0, ix1, iy0, iy1 } = history.seek(sample);
    history.heights.forEach((height, node) => {
      if (height === before[node]) return;
      const [ix, iy] = [node % 120, Math.floor(node / 120)];
      assert.ok(ix >= ix0 && ix <= ix1 && iy >= iy0 && iy <= iy1);
    });
    before = history.heights.slice();
  }
});

test("a live run grows to the same run as a report", async () => {
  const fixture = rover({ duration: 5, interval: 0.1, nx: 60, ny: 120 });
  const whole = await readOne(fixture);
  const none = { ...fixture, time: [], channels: fixture.channels.map((c) => ({ ...c, data: c.data.map(() => []) })),
    patches: fixture.patches.map((p) => ({ ...p, perSample: [] })), soils: fixture.soils.map((s) => ({ ...s, changes: [] })) };
  const live = await readOne(none, "live");
  const send = (first, end) => live.append(new m.Container(m.bytesOfBase64(samplesEvent(fixture, first, end))));
  await send(0, 20);
  await send(20, 30);
  await send(25, 51);  // a listener that comes back gets some again
  assert.equal(live.samples, whole.samples);
  whole.channels.forEach((channel, i) => channel.values.forEach((values, c) =>
    assert.deepEqual(live.channels[i].values[c].view(), values.view(), channel.path)));
  assert.deepEqual(live.soils[0].nodes.view(), whole.soils[0].nodes.view());
  assert.deepEqual(live.soils[0].offsets.view(), whole.soils[0].offsets.view());
  assert.deepEqual(live.patches[2].values[6].view(), whole.patches[2].values[6].view());
  assert.deepEqual(m.patchRows(live.patches[2], 33), m.patchRows(whole.patches[2], 33));
  await assert.rejects(send(60, 70), /came before/);
});

test("units: prefixes where they help", () => {
  const cases = [
    [0.00125, "m", "1.25 mm"], [0.5, "m", "0.5 m"], [3100, "N", "3.1 kN"], [4e-5, "s", "40 µs"], [5000, "s", "5000 s"],
    [2.5e-5, "m^2", "25 mm²"], [1.5e6, "Pa", "1.5 MPa"], [0, "m", "0 m"], [0.25, "", "0.25"], [-0.002, "m", "−2 mm"],
    [4.2, "Nm", "4.2 N·m"], [0.01, "rad", "0.01 rad"], [NaN, "m", "–"], [1e-12, "m", "0.001 nm"],
  ];
  for (const [value, unit, text] of cases)
    assert.equal(m.formatQuantity(value, unit).replace("\u00a0", " "), text);
  assert.equal(m.formatNumber(1.2e9), "1.2e9");
  assert.equal(m.formatTime(1, 30), "1.00");
});

test("csv: names, full precision, visible range, gaps", () => {
  const text = m.csvText(["time [s]", 'a "b", c'], [Float64Array.of(0, 0.1, 0.2, 0.3), [1, 1 / 3, null, 4]], 0.05, 0.25);
  assert.equal(text, `time [s],"a ""b"", c"\n0.1,${1 / 3}\n0.2,\n`);
});

test("differences: interpolated at the first run's times within both", async () => {
  const channel = (values) => [{ path: "system/a", unit: "J", columns: [""], description: "", data: [values] }];
  const first = await readOne({ name: "1", time: [0, 1, 2, 3, 4], channels: channel([0, 10, 20, 30, 40]) });
  const second = await readOne({ name: "2", time: [0.5, 1.5, 3.5], channels: channel([5, 15, 39]) });
  const [row] = m.differences(first, second);
  assert.equal(row.greatest, 3);  // at 3: 15 + 0.75 * 24 = 33
  assert.equal(row.time, 3);
  near(row.rms, Math.sqrt((0 + 1 + 9) / 3), 1e-12);
  near(row.relative, 3 / (33 - 10), 1e-12);  // within what both cover
  const turn = (q) => [{ path: "bodies/a/orientation", unit: "", columns: ["w", "x", "y", "z"], description: "", data: q.map((x) => [x, x]) }];
  const plus = await readOne({ name: "3", time: [0, 1], channels: turn([0.6, 0.8, 0, 0]) });
  const minus = await readOne({ name: "4", time: [0, 1], channels: turn([-0.6, -0.8, 0, 0]) });
  for (const column of m.differences(plus, minus)) assert.equal(column.greatest, 0);  // the same turn
  const [same] = m.differences(first, first);
  assert.equal(same.greatest, 0);
  assert.equal(same.relative, 0);
});

test("runs with other times share one time axis", async () => {
  const channel = (values) => [{ path: "system/a", unit: "J", columns: [""], description: "", data: [values] }];
  const runs = [await readOne({ name: "1", time: [0, 1], channels: channel([1, 2]) }), await readOne({ name: "2", time: [0.5, 1], channels: channel([3, NaN]) })];
  const { columns, lines } = m.makeTable(runs, [{ path: "system/a", column: 0 }]);
  assert.deepEqual(columns, [Float64Array.of(0, 0.5, 1), [1, null, 2], [null, 3, null]]);
  assert.deepEqual(lines.map((line) => line.runIndex), [0, 1]);
});

test("a rover opens with its wheels, a bounce with its heights", async () => {
  const run = await readOne(rover({ duration: 5, interval: 0.1, nx: 120, ny: 120 }));
  assert.deepEqual(m.defaultPlots(run).map((plot) => plot.title), ["Slip", "Sinkage", "Drive torque", "Drive power"]);
  const ball = await readOne(bounce());
  assert.deepEqual(m.defaultPlots(ball).map((plot) => plot.title), ["Height", "Speed", "Energy", "Greatest penetration"]);
});

test("a machine of contact elements opens with its joints", async () => {
  const channel = (path) => ({ path, unit: "", columns: [""], description: "", data: [[1, 2]] });
  const run = await readOne({ name: "gears", time: [0, 1], channels: ["joints/left/position", "joints/left/velocity", "motors/left/effort",
    "contacts/teeth/penetration", "contacts/teeth/normal_force", "contacts/teeth/friction_force"].map(channel) });
  assert.deepEqual(m.defaultPlots(run).map((plot) => plot.title),
    ["Joint speed", "Joint position", "Contact force", "Drive torque", "Greatest penetration"]);
});

test("player: real time, end, loop, steps", () => {
  const times = [0, 0.5, 2, 4];
  const player = new m.Player(() => ({ start: 0, end: 4, samples: 4, times }), () => {});
  player.play();
  player.advance(1000);
  player.advance(1200);
  near(player.time, 0.2, 1e-12);
  player.step(1);
  assert.equal(player.time, 0.5);
  player.seek(1);
  player.step(-1);
  assert.equal(player.time, 0.5);
  player.step(10);
  assert.equal(player.time, 4);
  player.loop = true;
  player.seek(3.9);
  player.play();
  player.advance(1000);
  player.advance(1200);
  near(player.time, 0.1, 1e-12);
  player.loop = false;
  player.seek(3.9);
  player.advance(1400);
  assert.equal(player.time, 4);
  assert.equal(player.playing, false);
  player.changeSpeed(1);
  assert.equal(player.speed, 2);
});

test("colours get lighter along viridis and darker along ruts", () => {
  const lightness = ([r, g, b]) => 0.2126 * r + 0.7152 * g + 0.0722 * b;
  for (let i = 0; i < 20; ++i) {
    assert.ok(lightness(m.mapColor("viridis", i / 20)) < lightness(m.mapColor("viridis", (i + 1) / 20)));
    assert.ok(lightness(m.mapColor("rut", i / 20)) > lightness(m.mapColor("rut", (i + 1) / 20)));
  }
});

test("shapes: colours of geoms are those of their file, and a wheel is drawn once", async () => {
  const shape = (name, numbers, vertices = null) =>
    ({ name, body: "b", kind: "mesh", numbers: new Map(numbers), vertices, triangles: null });
  assert.equal(m.givenColor(shape("geoms/a", [["red", 1], ["green", 0.2], ["blue", 0]])), "rgb(255, 51, 0)");
  assert.equal(m.givenColor(shape("geoms/a", [["red", 1]])), null);
  assert.equal(m.givenColor(shape("a", [])), null);
  const ring = Float32Array.from({ length: 144 }, (_, i) => {
    const angle = Math.floor(i / 3) * Math.PI / 24;
    return [0.1 * Math.cos(angle), i % 2 ? 0.05 : -0.05, 0.1 * Math.sin(angle)][i % 3];
  });
  const wheel = shape("wheel", [], ring);
  const rim = shape("geoms/rim", [], ring);
  const box = shape("geoms/box", []);
  assert.equal(m.isStandIn(rim, [wheel, rim, box]), true);
  assert.equal(m.isStandIn(rim, [rim, box]), false);   // nothing else shows the wheel
  assert.equal(m.isStandIn(box, [wheel, rim, box]), false);
  assert.equal(m.isStandIn(wheel, [wheel, rim]), false);
  const peg = shape("peg", [], ring.map((x) => 0.1 * x));
  assert.equal(m.isStandIn(rim, [peg, rim]), false);   // the hub that holds it
});
