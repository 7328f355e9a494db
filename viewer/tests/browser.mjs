// A real browser, and pages of the fixtures for it.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { bounce, container, empty, rover, writePage } from "./fixture.mjs";

export const kTemplate = join(dirname(fileURLToPath(import.meta.url)), "../dist/page.html");

export function launch(...more) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", ...more],
  });
}

export const kRuns = {
  bounce: bounce(),
  rover: rover(),
  empty: empty(),
  second: bounce({ name: "bounce_from_0.8", drop: 0.8, interval: 0.016 }),
  single: { ...bounce({ name: "single", duration: 0 }), patches: [], shapes: [{ name: "thing", body: "ball", kind: "capsule" }] },
};

export function makePages() {
  const folder = mkdtempSync(join(tmpdir(), "grouser-page-"));
  const sets = {
    bounce: ["report", [kRuns.bounce]], rover: ["report", [kRuns.rover]], empty: ["report", [kRuns.empty]],
    single: ["report", [kRuns.single]], compare: ["compare", [kRuns.bounce, kRuns.second]],
  };
  for (const [name, [kind, runs]] of Object.entries(sets))
    writePage(kTemplate, join(folder, `${name}.html`), container(kind, runs));
  return folder;
}

export function pageFile(folder, name) {
  return pathToFileURL(join(folder, `${name}.html`)).href;
}

/** Where the 3D view is in a window of 1280 x 720. */
export const kStage = { x: 0, y: 80, width: 760, height: 500 };

/** Pixels of a picture, read by the browser that made it. */
export async function pixels(page, clip) {
  const png = (await page.screenshot({ clip })).toString("base64");
  const scratch = await page.context().browser().newPage();
  const found = await scratch.evaluate(async (data) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${data}`;
    await picture.decode();
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data: rgba } = context.getImageData(0, 0, picture.width, picture.height);
    const colors = new Set();
    let [blue, tan, deep, ground] = [0, 0, 0, 0];
    for (let i = 0; i < rgba.length; i += 4) {
      const [r, g, b] = [rgba[i], rgba[i + 1], rgba[i + 2]];
      colors.add((r << 16) | (g << 8) | b);
      if (b > r + 25 && b > 90) ++blue;
      if (r > b + 25 && r > 130 && g > b) ++tan;
      if (b > r + 10 && b > g + 15 && r + g + b < 300) ++deep;
      if (r >= g && g >= b && r - b > 4 && r - b < 40 && r > 60 && r < 230) ++ground;
    }
    return { colors: colors.size, blue, tan, deep, ground, count: rgba.length / 4 };
  }, png);
  await scratch.close();
  return found;
}
