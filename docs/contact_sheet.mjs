// Draws the sheet of docs/contact_sheet.html and saves it as a JPEG: see docs/contact_sheet.sh.
//
// node contact_sheet.mjs VIEWER MESHES PICTURE
import { dirname, extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [viewer, meshes, picture] = process.argv.slice(2);
const { launch } = await import(pathToFileURL(resolve(viewer, "tests/browser.mjs")).href);

// The page's own little site. Pages of the file system may not load modules.
const kSite = "http://sheet.invalid/";
const kFolders = { three: join(viewer, "node_modules/three"), meshes, page: dirname(fileURLToPath(import.meta.url)) };
const kTypes = { ".html": "text/html", ".js": "text/javascript", ".glb": "model/gltf-binary" };

const browser = await launch();
const tab = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
tab.on("pageerror", (error) => { throw error; });
tab.on("console", (message) => console.log(message.text()));
await tab.route(`${kSite}**`, (route) => {
  const [folder, ...rest] = new URL(route.request().url()).pathname.slice(1).split("/");
  if (!(folder in kFolders)) return route.fulfill({ status: 404 });
  const path = join(kFolders[folder], ...rest);
  return route.fulfill({ path, contentType: kTypes[extname(path)] ?? "application/octet-stream" });
});
await tab.goto(`${kSite}page/contact_sheet.html`);
await tab.waitForFunction(() => window.drawn, null, { timeout: 0 });
await tab.screenshot({ path: picture, fullPage: true, ...(picture.endsWith(".png") ? {} : { type: "jpeg", quality: 80 }) });
await browser.close();
