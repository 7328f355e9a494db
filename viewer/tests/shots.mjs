// Pictures of all fixtures, to look at: node tests/shots.mjs [folder]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, makePages, pageFile } from "./browser.mjs";

const folder = process.argv[2] ?? "/tmp/grouser-shots";
mkdirSync(folder, { recursive: true });
const pages = makePages();
const browser = await launch();
const kViews = [
  { name: "light", viewport: { width: 1280, height: 720 }, colorScheme: "light" },
  { name: "dark", viewport: { width: 1280, height: 720 }, colorScheme: "dark" },
  { name: "phone", viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true, isMobile: true },
];
const only = process.argv.slice(3);
const kTimes = { bounce: 0.42, rover: 20, empty: 0, compare: 0.6, single: 0 };
for (const [fixture, time] of Object.entries(kTimes).filter(([name]) => only.length === 0 || only.includes(name)))
  for (const { name, ...settings } of kViews) {
    const context = await browser.newContext(settings);
    const page = await context.newPage();
    page.on("console", (message) => console.log(fixture, name, message.type(), message.text()));
    await page.goto(pageFile(pages, fixture));
    await page.evaluate(async (t) => {
      await window.grouser.ready;
      window.grouser.seek(t);
    }, time);
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `${fixture}-${name}.png`), fullPage: name === "phone" });
    if (name === "light") {
      await page.click("#tab-summary");
      await page.screenshot({ path: join(folder, `${fixture}-summary.png`) });
      if (fixture === "compare") {
        await page.click("#tab-differences");
        await page.screenshot({ path: join(folder, `${fixture}-differences.png`) });
      }
      if (fixture === "rover") {
        await page.click("#tab-plots");
        await page.click("#view-options > summary");
        await page.screenshot({ path: join(folder, "rover-options.png") });
        await page.click("#add-plot");
        await page.fill("#channel-search", "front force");
        await page.screenshot({ path: join(folder, "rover-tree.png") });
      }
    }
    await context.close();
  }
await browser.close();
