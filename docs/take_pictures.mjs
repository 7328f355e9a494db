// Takes the pictures of docs/figures/ from report pages: see docs/take_pictures.sh.
//
// node take_pictures.mjs VIEWER PAGES FIGURES
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [viewer, pages, figures] = process.argv.slice(2);
const { launch } = await import(pathToFileURL(join(viewer, "tests/browser.mjs")).href);
const browser = await launch();

/// `closer`: turns of the mouse wheel; `clip`: the part of the page.
async function take(page, name, time, settings, { closer = 0, clip } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...settings });
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(join(pages, page)).href);
  await tab.evaluate(async (t) => {
    await window.grouser.ready;
    window.grouser.seek(t);
  }, time);
  if (closer > 0) await tab.mouse.move(384, 420);
  for (let turn = 0; turn < closer; ++turn) {
    await tab.mouse.wheel(0, -120);
    await tab.waitForTimeout(100);
  }
  await tab.waitForTimeout(1000);
  await tab.screenshot({ path: join(figures, name), type: "jpeg", quality: 80, clip });
  await context.close();
}

await take("rover_drive/rover_drive.html", "report_rover.jpg", 14.0, { colorScheme: "light" });
await take("bubbles/bubbles.html", "report_bubbles.jpg", 0.45, { colorScheme: "dark" });
await take("single_wheel/single_wheel.html", "report_soil.jpg", 11.0, { colorScheme: "light" });
await take("rover_drive/rover_drive.html", "report_phone.jpg", 14.0,
  { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, colorScheme: "light" });
await take("turn_on_the_spot/turn_on_the_spot.html", "soil_heaps.jpg", 9.0, { colorScheme: "light" },
  { closer: 3, clip: { x: 0, y: 90, width: 768, height: 590 } });
await browser.close();
