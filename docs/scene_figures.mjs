// Takes pictures of scenes from their report pages: see docs/element_figures.sh, smooth_figures.sh.
//
// node scene_figures.mjs VIEWER PAGES FIGURES SCENE:NAME:TIME[:TILT]...
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [viewer, pages, figures, ...pictures] = process.argv.slice(2);
const { launch } = await import(pathToFileURL(join(viewer, "tests/browser.mjs")).href);
const browser = await launch();

/** `tilt`: pixels by which the view is dragged down, to look from above. */
async function take(scene, name, time, tilt = 0) {
  const context = await browser.newContext({ viewport: { width: 960, height: 540 }, colorScheme: "light" });
  const tab = await context.newPage();
  await tab.goto(pathToFileURL(join(pages, `${scene}.html`)).href);
  await tab.evaluate(async (t) => {
    await window.grouser.ready;
    window.grouser.seek(t);
  }, time);
  if (tilt > 0) {
    await tab.mouse.move(280, 260);
    await tab.mouse.down();
    await tab.mouse.move(280, 260 + tilt, { steps: 10 });
    await tab.mouse.up();
    await tab.mouse.move(280, 20);
  }
  await tab.waitForTimeout(1000);
  const errors = await tab.evaluate(() => window.grouser.errors);
  if (errors.length > 0) throw new Error(`${scene}: ${errors.join("; ")}`);
  await tab.screenshot({ path: join(figures, `${name}.jpg`), type: "jpeg", quality: 75 });
  await context.close();
}

for (const picture of pictures) {
  const [scene, name, time, tilt] = picture.split(":");
  await take(scene, name, Number(time), Number(tilt ?? 0));
}
await browser.close();
