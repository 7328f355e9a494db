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
