// Puts pictures of rover models on one sheet: see docs/rover_sheet.sh.
//
// node rover_sheet.mjs VIEWER PAGES PICTURE
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [viewer, pages, picture] = process.argv.slice(2);
const { launch } = await import(pathToFileURL(join(viewer, "tests/browser.mjs")).href);
const kRovers = [
  ["rocker_bogie", "rocker_bogie.xml: 180 kg, 20 degrees of freedom"],
  ["exomars", "exomars.xml: 310 kg, 21 degrees of freedom"],
  ["viper", "viper.xml: 430 kg, 16 degrees of freedom"],
  ["mmx", "mmx.xml: 25 kg, 14 degrees of freedom"],
];

const browser = await launch();
const cells = [];
for (const [name, text] of kRovers) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: "light" });
  await tab.goto(pathToFileURL(join(pages, `${name}.html`)).href);
  await tab.evaluate(async () => window.grouser.ready);
  await tab.waitForTimeout(1000);
  const png = await tab.screenshot({ clip: { x: 4, y: 140, width: 760, height: 500 } });
  cells.push(`<figure><img src="data:image/png;base64,${png.toString("base64")}"><figcaption>${text}</figcaption></figure>`);
  await tab.close();
}
const sheet = await browser.newPage({ viewport: { width: 1240, height: 900 } });
await sheet.setContent(`<style>
  body { margin: 0; display: grid; grid-template-columns: 1fr 1fr; gap: 8px; padding: 8px; background: white; }
  figure { margin: 0; } img { width: 100%; display: block; }
  figcaption { font: 17px sans-serif; padding: 6px 2px; }
</style>${cells.join("")}`);
const box = await sheet.locator("body").boundingBox();
await sheet.screenshot({ path: picture, type: "jpeg", quality: 82, clip: box });
await browser.close();
