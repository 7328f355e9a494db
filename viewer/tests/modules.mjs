// Bundles modules of src/ for node, for tests without a browser.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

export async function loadModules(...names) {
  const folder = mkdtempSync(join(tmpdir(), "grouser-unit-"));
  const outfile = join(folder, "modules.mjs");
  const contents = names.map((name) => `export * from "./src/${name}";`).join("\n");
  await build({ stdin: { contents, resolveDir: root }, bundle: true, format: "esm", platform: "node", outfile, logLevel: "error" });
  const modules = await import(pathToFileURL(outfile).href);
  rmSync(folder, { recursive: true });
  return modules;
}
