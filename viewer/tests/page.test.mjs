import assert from "node:assert/strict";
import { readFileSync, rmSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { kRuns, kStage, kTemplate, launch, makePages, pageFile, pixels } from "./browser.mjs";
import { soilAt } from "./fixture.mjs";
import { LiveServer } from "./live_server.mjs";

let browser;
let folder;
before(async () => {
  folder = makePages();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page from a file, without network; the test fails on anything it complains about. */
async function withPage(name, settings, check) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...settings });
  try {
    await context.setOffline(true);
    const page = await context.newPage();
    const complaints = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      if (!/^(file|blob|data):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
    });
    await page.goto(pageFile(folder, name));
    await page.evaluate(() => window.grouser.ready);
    await check(page, context);
    assert.deepEqual(complaints, []);
    assert.deepEqual(await page.evaluate(() => window.grouser.errors), []);
  } finally {
    await context.close();
  }
}

const seek = (page, time) => page.evaluate((t) => window.grouser.seek(t), time);
const ask = (page, name, ...args) => page.evaluate(([n, a]) => window.grouser[n](...a), [name, args]);
const column = (run, path, c) => run.channels.find((channel) => channel.path === path).data[c];

function assertNear(actual, expected, tolerance, what) {
  assert.equal(actual.length, expected.length, what);
  actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) <= tolerance, `${what} ${i}: ${value}, not ${expected[i]}`));
}

test("page without data is small and has the place of its data once", () => {
  const bytes = statSync(kTemplate).size;
  console.log(`page without data: ${bytes} bytes`);
  assert.ok(bytes < 900_000);
  const text = readFileSync(kTemplate, "utf8");
  assert.equal(text.split('<script id="grouser-data" type="text/plain">@GROUSER_DATA@</script>').length, 2);
  assert.equal(text.split("</script>").length, 3);
});

test("bounce: poses, patches, plots, colours", async () => withPage("bounce", {}, async (page) => {
  const run = kRuns.bounce;
  for (const sample of [0, 42, 200, 42, 300]) {
    await seek(page, run.time[sample]);
    const pose = await ask(page, "bodyPose", "ball");
    assertNear(pose.position, [0, 1, 2].map((c) => column(run, "bodies/ball/position", c)[sample]), 1e-6, "position");
    const q = [0, 1, 2, 3].map((c) => column(run, "bodies/ball/orientation", c)[sample]);
    const sign = Math.sign(q[0] * pose.orientation[0]);  // a matrix does not know it
    assertNear(pose.orientation.map((x) => sign * x), q, 1e-6, "orientation");
    assert.equal(await ask(page, "patchCount"), run.patches[0].perSample[sample].length);
  }
  await seek(page, (run.time[10] + run.time[11]) / 2);
  const z = column(run, "bodies/ball/position", 2);
  assertNear((await ask(page, "bodyPose", "ball")).position.slice(2), [(z[10] + z[11]) / 2], 1e-6, "between");

  assert.equal(await ask(page, "samples"), run.time.length);
  assert.equal(await ask(page, "plotCount"), 4);
  assert.deepEqual(await ask(page, "plotValues", "bodies/ball/position", "z"), Array.from(Float32Array.from(z)));

  await seek(page, 0);
  const picture = await pixels(page, kStage);
  assert.ok(picture.colors > 300, `${picture.colors} colours`);
  assert.ok(picture.blue > 2000, "the ball is blue");
}));

test("rover: soil forwards and backwards, milliseconds per frame", async () => withPage("rover", {}, async (page) => {
  const run = kRuns.rover;
  const soil = run.soils[0];
  for (const sample of [0, 400, 120, 600, 1, 300]) {
    await seek(page, run.time[sample]);
    const heights = await page.evaluate(([nx, ny]) => Array.from({ length: nx * ny }, (_, i) =>
      window.grouser.soilHeight("ground", i % nx, Math.floor(i / nx))), [soil.nx, soil.ny]);
    assert.deepEqual(Float32Array.from(heights), soilAt(soil, sample), `sample ${sample}`);
  }
  await seek(page, 15);
  const picture = await pixels(page, kStage);
  assert.ok(picture.tan > 20_000, `soil has ${picture.tan} pixels`);
  assert.ok(picture.deep > 300, `ruts have ${picture.deep} pixels`);

  assert.equal(await ask(page, "plotCount"), 4);
  assert.equal((await ask(page, "plotValues", "motors/wheel_front_left/power", 0)).length, run.time.length);

  await page.selectOption("#speed", "2");
  // Script does the same for a small picture, and drawing without a graphics card leaves it alone.
  await page.setViewportSize({ width: 900, height: 420 });
  await seek(page, 5);
  await ask(page, "frameMilliseconds");
  await ask(page, "play");
  await page.waitForTimeout(4000);
  await ask(page, "pause");
  const frames = await ask(page, "frameMilliseconds");
  console.log(`rover, 200 x 200 soil: ${frames.mean.toFixed(2)} ms of script per frame, at most ${frames.max.toFixed(2)}, ${frames.count} frames`);
  assert.ok(frames.count > 0, "no frames");
  assert.ok(await ask(page, "time") > 5.2);
}));

test("keyboard and player", async () => withPage("bounce", { reducedMotion: "reduce" }, async (page) => {
  const run = kRuns.bounce;
  const at = async (expected) => assertNear([await ask(page, "time")], [expected], 1e-9, "time");
  await page.keyboard.press("ArrowRight");
  await at(run.time[1]);
  await page.keyboard.press("Shift+ArrowRight");
  await at(run.time[11]);
  await page.keyboard.press("ArrowLeft");
  await at(run.time[10]);
  await page.keyboard.press("End");
  await at(run.time.at(-1));
  await page.keyboard.press("Home");
  await at(0);
  await page.keyboard.press("[");
  assert.equal(await page.inputValue("#speed"), "0.5");
  await page.keyboard.press("Space");
  assert.equal(await page.getAttribute("#play", "aria-label"), "Pause");
  await page.waitForFunction(() => window.grouser.time() > 0.05);
  await page.keyboard.press("Space");
  assert.equal(await page.getAttribute("#play", "aria-label"), "Play");
  await page.keyboard.press("f");
  assert.equal(await page.inputValue("#follow"), "ball");
  await page.keyboard.press("r");
  await page.keyboard.press("?");
  assert.ok(await page.isVisible("#help-dialog"));
  await page.keyboard.press("Escape");
  assert.ok(!(await page.isVisible("#help-dialog")));
}));

test("plots: click goes there, drag zooms, channels, tables and pictures", async () => withPage("bounce", {}, async (page) => {
  const over = page.locator(".plot .u-over").first();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 30);
  assertNear([await ask(page, "time")], [1.5], 0.02, "time");

  await page.mouse.move(box.x + box.width / 3, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 2 * box.width / 3, box.y + 30, { steps: 4 });
  await page.mouse.up();
  await page.waitForTimeout(50);
  assert.ok(await page.isVisible("#reset-zoom"));
  assertNear([await ask(page, "time")], [1.5], 0.02, "a drag does not seek");
  const download = (locator) => Promise.all([page.waitForEvent("download"), locator.click()]).then(([file]) => file.path());
  const first = page.locator(".plot").first();
  const rows = readFileSync(await download(first.getByText("CSV")), "utf8").trim().split("\n");
  assert.equal(rows[0], "time [s],bodies/ball/position.z [m]");
  assert.ok(rows.length > 90 && rows.length < 110, `${rows.length} rows of a third of 301`);
  const [time, z] = rows[1].split(",").map(Number);
  const sample = kRuns.bounce.time.indexOf(time);
  assert.equal(z, Math.fround(column(kRuns.bounce, "bodies/ball/position", 2)[sample]));
  const picture = readFileSync(await download(first.getByText("PNG")));
  assert.equal(picture.subarray(1, 4).toString(), "PNG");
  const view = readFileSync(await download(page.locator("#save-view")));
  assert.ok(view.length > 20_000, "picture of the 3D view is not blank");
  await page.mouse.dblclick(box.x + box.width / 2, box.y + 30);
  assert.ok(!(await page.isVisible("#reset-zoom")));

  await page.click("#add-plot");
  await page.fill("#channel-search", "ball velocity");
  await page.getByLabel("bodies/ball/velocity z").check();
  await page.fill("#channel-search", "torque");
  await page.getByLabel("contacts/ball_on_ground/torque y").check();
  assert.equal(await ask(page, "plotCount"), 5);
  await page.fill("#channel-search", "kinetic");
  await page.getByLabel("system/kinetic_energy").check();  // a third unit: a plot of its own
  assert.equal(await ask(page, "plotCount"), 6);
  await page.click("#channel-close");
  assert.deepEqual(await ask(page, "plotValues", "bodies/ball/velocity", 2),
    Array.from(Float32Array.from(column(kRuns.bounce, "bodies/ball/velocity", 2))));
}));

test("empty and one-sample runs still make a page", async () => {
  await withPage("empty", {}, async (page) => {
    assert.equal(await ask(page, "samples"), 0);
    assert.equal(await ask(page, "plotCount"), 0);
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowRight");
    await page.click("#add-plot");
    await page.click("#channel-close");
    await page.click("#tab-summary");
    assert.match(await page.innerText("#summary"), /failed/);
  });
  await withPage("single", {}, async (page) => {
    assert.equal(await ask(page, "samples"), 1);
    assert.deepEqual((await ask(page, "bodyPose", "ball")).position, [0, 0, 1]);
    await page.keyboard.press("Space");
    await page.click("#tab-summary");
    assert.match(await page.innerText("#summary"), /thing \(capsule\)/);
  });
});

test("comparison: overlaid plots, differences, other run", async () => withPage("compare", {}, async (page) => {
  assert.match(await page.innerText("#run-legend"), /bounce[\s\S]*bounce_from_0.8/);
  assert.equal((await ask(page, "plotValues", "bodies/ball/position", "z")).length, kRuns.bounce.time.length);
  await page.click("#tab-differences");
  assert.ok(await page.locator(".difference-table tbody tr").count() > 20);
  await page.fill("#differences input[type=search]", "position.z");
  const cells = await page.locator(".difference-table tbody td").allInnerTexts();
  assert.equal(cells[0], "bodies/ball/position.z");
  assert.match(cells[1], /^0\.\d+\sm$/);
  await page.selectOption("#shown-run", "1");
  await seek(page, kRuns.second.time[20]);
  assertNear((await ask(page, "bodyPose", "ball")).position, [0, 1, 2].map((c) => column(kRuns.second, "bodies/ball/position", c)[20]), 1e-6, "second run");
}));

test("phone: nothing is wider than the screen, and the page is dark if the system is", async () =>
  withPage("rover", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: "dark" }, async (page) => {
    for (const tab of ["plots", "summary"]) {
      await page.tap(`#tab-${tab}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390, tab);
    }
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    await page.tap("#step-forward");
    assertNear([await ask(page, "time")], [kRuns.rover.time[1]], 1e-9, "time");
    await page.tap("#theme");
    assert.equal(await page.getAttribute("html", "data-theme"), "light");
  }));

test("without WebGL plots and summary work", async () => {
  const plain = await launch("--disable-gpu", "--disable-3d-apis");
  try {
    const page = await plain.newPage();
    await page.goto(pageFile(folder, "bounce"));
    await page.evaluate(() => window.grouser.ready);
    assert.match(await page.innerText("#stage-message"), /no WebGL/);
    await seek(page, 1);
    assert.equal(await ask(page, "plotCount"), 4);
    assert.deepEqual(await page.evaluate(() => window.grouser.errors), []);
  } finally {
    await plain.close();
  }
});

test("live: samples arrive, orders are posted, the server goes away", async () => {
  const run = kRuns.bounce;
  const server = new LiveServer(kTemplate, run);
  const page = await browser.newPage();
  try {
    await page.goto(await server.listen());
    await page.evaluate(() => window.grouser.ready);
    const until = (expression, ...args) => page.waitForFunction(expression, ...args, { timeout: 8000 });
    while (server.listeners.size === 0) await page.waitForTimeout(20);
    server.sendState("ready", 0, 3);
    await until(() => document.querySelector("#live-state").textContent.startsWith("Ready"));
    await page.click("#live-start");
    server.sendState("running", 0, 3);
    server.sendSamples(0, 100);
    server.sendSamples(100, 143);
    await until(() => window.grouser.samples() === 143);
    await until((end) => Math.abs(window.grouser.time() - end) < 1e-9, run.time[142]);
    // The scene follows with the next frame.
    await until((z) => Math.abs(window.grouser.bodyPose("ball").position[2] - z) < 1e-6,
      column(run, "bodies/ball/position", 2)[142]);
    assertNear((await ask(page, "bodyPose", "ball")).position.slice(2), [column(run, "bodies/ball/position", 2)[142]], 1e-6, "newest pose");
    await page.click("#live-pause");
    await until(() => document.querySelector("#live-state").textContent.startsWith("Running"));

    // Who looks back is left alone by new samples.
    await seek(page, 0.42);
    await page.click("#step-back");
    server.sendSamples(143, 301);
    server.sendState("finished", 3, 3);
    server.send("outcome", JSON.stringify({ status: "complete", message: "", summary: [["steps", "99"]], warnings: ["w"] }));
    await until(() => document.querySelector("#status").textContent === "complete, 1 warning");
    assertNear([await ask(page, "time")], [0.41], 1e-9, "time");
    assert.deepEqual(await ask(page, "plotValues", "bodies/ball/position", 2), Array.from(Float32Array.from(column(run, "bodies/ball/position", 2))));

    server.send("restart", "{}");
    await until(() => window.grouser.samples() === 0);
    server.sendSamples(0, 50);
    await until(() => window.grouser.samples() === 50);
    await page.click("#live-restart");
    while (server.orders.length < 3) await page.waitForTimeout(20);
    assert.deepEqual(server.orders.map((order) => order.do), ["start", "pause", "restart"]);
    assert.ok(server.orders.every((order) => order.header === "page"));

    server.close();
    await until(() => document.querySelector("#live-state").textContent.includes("gone"));
    assert.equal(await ask(page, "samples"), 50);
    await seek(page, 0.2);
    assert.deepEqual(await page.evaluate(() => window.grouser.errors), []);
  } finally {
    server.close();
    await page.close();
  }
});
