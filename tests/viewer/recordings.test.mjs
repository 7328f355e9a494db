// Pages of real recordings, made by the grouser command, in a real browser.
//
// Environment: GROUSER (the command), SOIL_RECORDING (soil_recording.cpp, built), SCENES, VIEWER
// (the built viewer/ folder, for its browser), CHROMIUM if it is elsewhere.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";

const { kStage, launch, pixels } = await import(pathToFileURL(join(process.env.VIEWER, "tests/browser.mjs")).href);
const { GROUSER: grouser, SCENES: scenes } = process.env;

let browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "grouser-viewer-"));
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens an address; fails on anything the page complains about or asks of a network. */
async function withPage(address, check) {
  const offline = address.startsWith("file:");
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  try {
    if (offline) await context.setOffline(true);
    const page = await context.newPage();
    const complaints = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && complaints.push(m.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.goto(address);
    await page.evaluate(() => window.grouser.ready);
    await check(page);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const ask = (page, name, ...args) => page.evaluate(([n, a]) => window.grouser[n](...a), [name, args]);

/** Columns of a recording by their header, as `grouser export` writes them. */
function exported(recording) {
  const [header, ...rows] = execFileSync(grouser, ["export", recording]).toString().trim().split("\n");
  const names = header.split(",").map((name) => name.replace(/^"|"$/g, ""));
  const table = rows.map((row) => row.split(",").map(Number));
  return (name) => {
    const at = names.findIndex((full) => full.startsWith(name));
    assert.notEqual(at, -1, `${name} in ${header.slice(0, 300)}`);
    return table.map((row) => row[at]);
  };
}

/** Runs a scene with a report; the path of its recording. */
function run(scene, ...settings) {
  const out = join(folder, scene);
  execFileSync(grouser, ["run", join(scenes, `${scene}.toml`), "--out", out, "--quiet", "--report",
    ...settings.flatMap((setting) => ["--set", setting])]);
  return join(out, `${scene}.h5`);
}
const pageOf = (recording) => pathToFileURL(recording.replace(/\.h5$/, ".html")).href;

function assertNear(found, expected, tolerance, what) {
  assert.equal(found.length, expected.length, what);
  found.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) <= tolerance, `${what} ${i}: ${x} instead of ${expected[i]}`));
}

test("a page shows poses, plots and contact as they were recorded", async () => {
  const recording = run("bubbles", "simulation.duration=0.6");
  const column = exported(recording);
  const time = column("time");
  await withPage(pageOf(recording), async (page) => {
    assert.equal(await ask(page, "samples"), time.length);
    for (const k of [0, 21, time.length - 1]) {
      await ask(page, "seek", time[k]);
      const pose = await ask(page, "bodyPose", "a");
      const position = ["x", "y", "z"].map((axis) => column(`bodies/a/position.${axis}`)[k]);
      const orientation = ["w", "x", "y", "z"].map((axis) => column(`bodies/a/orientation.${axis}`)[k]);
      assertNear(pose.position, position, 1e-6, "position");  // single precision
      const sign = Math.sign(pose.orientation[0] * orientation[0]) || 1;
      assertNear(pose.orientation.map((x) => sign * x), orientation, 1e-6, "orientation");
      const elements = ["a_funnel", "b_funnel", "c_funnel", "a_b", "a_c", "b_c"]
        .reduce((sum, contact) => sum + column(`contacts/${contact}/element_count`)[k], 0);
      assert.equal(await ask(page, "patchCount"), elements);
    }
    const heights = await ask(page, "plotValues", "bodies/a/position", "z");
    assertNear(heights, column("bodies/a/position.z"), 1e-6, "plot");
    assert.ok((await ask(page, "plotCount")) >= 3);
    await page.click("#tab-summary");
    const text = await page.textContent("body");
    for (const word of ["max_penetration", "young_modulus", "bubbles.toml"]) assert.ok(text.includes(word), word);
    const model = page.locator("button.link", { hasText: "pcm" }).first();
    await model.click();
    assert.match(await page.textContent("#model-dialog"), /Polygonal/i);
    await page.click("#model-close");
  });
});

test("every example has a picture with its first body and its ground", async (t) => {
  for (const scene of ["bubbles", "rover_on_plane", "torus_and_sphere"]) {
    const recording = run(scene, "simulation.duration=0.2");
    await withPage(pageOf(recording), async (page) => {
      await ask(page, "seek", 0.2);
      await page.waitForTimeout(500);
      const picture = await pixels(page, kStage);
      t.diagnostic(`${scene}: ${JSON.stringify(picture)}`);
      assert.ok(picture.colors > 50, `${scene}: ${picture.colors} colours`);
      // Of 380,000; the rover has dark blue panels in the colour of its file.
      assert.ok(picture.blue + picture.deep > 300, `${scene}: the first body is blue`);
      assert.ok(picture.ground > 3000, `${scene}: the ground is grey to brown`);
    });
  }
});

test("ruts are as deep as they were recorded, forwards and backwards", async () => {
  const [nx, ny, samples] = [60, 40, 101];
  const recording = join(folder, "rut.h5");
  execFileSync(process.env.SOIL_RECORDING, [recording, nx, ny, samples].map(String));
  execFileSync(grouser, ["report", recording]);
  assert.match(execFileSync(grouser, ["info", recording]).toString(), /ground +60 x 40 +0\.02/);
  const ground = (ix, iy) => 0.01 * Math.sin(0.11 * ix) * Math.cos(0.07 * iy);
  await withPage(pageOf(recording), async (page) => {
    const depth = async (t, ix) => {
      await ask(page, "seek", t);
      return ground(ix, 20) - (await ask(page, "soilHeight", "ground", ix, 20));
    };
    assertNear([await depth(0.5, 10), await depth(0.5, 50)], [0.03, 0], 2e-4, "half way");  // steps of 12 mm
    assertNear([await depth(1.0, 50)], [0.03], 2e-4, "at the end");
    assertNear([await depth(0.5, 50)], [0], 1e-6, "back again");
    await ask(page, "seek", 1.0);
    assertNear([await ask(page, "soilHeight", "ground", 30, 2)], [ground(30, 2)], 1e-6, "beside the rut");
  });
});

test("thirty seconds of a rover with soil stay small and quick", async (t) => {
  const recording = join(folder, "long.h5");
  execFileSync(process.env.SOIL_RECORDING, [recording, "200", "200", "3000"]);
  execFileSync(grouser, ["report", recording]);
  const bytes = statSync(recording.replace(/\.h5$/, ".html")).size;
  t.diagnostic(`page with a 200 x 200 soil and 3000 samples: ${(bytes / 1e6).toFixed(2)} MB`);
  assert.ok(bytes < 25e6);
  await withPage(pageOf(recording), async (page) => {
    await ask(page, "play");
    await page.waitForTimeout(1500);
    await ask(page, "frameMilliseconds");
    await page.waitForTimeout(2500);
    const frames = await ask(page, "frameMilliseconds");
    t.diagnostic(`script per frame: ${frames.mean.toFixed(2)} ms, ${frames.count} frames`);
    assert.ok(frames.count > 0);
  });
});

test("runs are compared", async () => {
  const settings = (restitution) => ["simulation.duration=0.4", `material.0.young_modulus=${restitution}`];
  const first = run("bubbles", ...settings("2e5"));
  execFileSync("cp", [first, join(folder, "first.h5")]);
  const second = run("bubbles", ...settings("4e5"));
  const table = execFileSync(grouser, ["compare", join(folder, "first.h5"), second, "-o", join(folder, "compare.html")]).toString();
  assert.match(table, /contacts\/a_b\/penetration/);
  await withPage(pathToFileURL(join(folder, "compare.html")).href, async (page) => {
    await page.click("#tab-differences");
    assert.match(await page.textContent("body"), /bodies\/a\/position/);
  });
});

test("a live view gets frames, pauses, goes on and restarts", async () => {
  const server = spawn(grouser, ["view", join(scenes, "rover_on_plane.toml"), "--wait", "--set", "simulation.duration=3000"]);
  try {
    const address = await new Promise((resolve, reject) => {
      server.stdout.on("data", (text) => resolve(String(text).trim().split("\n")[0]));
      server.on("exit", (code) => reject(new Error(`grouser view ended with ${code}`)));
    });
    await withPage(address, async (page) => {
      const samples = () => ask(page, "samples");
      const state = () => page.evaluate(() => document.body.textContent);
      await page.waitForFunction(() => window.grouser.samples() >= 1);
      const waiting = await samples();
      await page.waitForTimeout(400);
      assert.equal(await samples(), waiting, "waits for its start");
      await page.click("#live-start");
      await page.waitForFunction(() => window.grouser.samples() > 5);
      await page.click("#live-pause");
      await page.waitForTimeout(600);
      const paused = await samples();
      await page.waitForTimeout(600);
      assert.equal(await samples(), paused, "pauses");
      await page.click("#live-start");
      await page.waitForFunction((n) => window.grouser.samples() > n, paused);
      await page.click("#live-restart");
      await page.waitForFunction((n) => window.grouser.samples() < n, paused);
      assert.ok((await state()).length > 0);
    });
  } finally {
    server.kill("SIGINT");
    await new Promise((resolve) => server.on("exit", resolve));
  }
  assert.equal(server.exitCode, 0);
});
