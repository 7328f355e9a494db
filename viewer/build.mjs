// Bundles src/ into dist/page.html: one file, nothing fetched.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));
const placeholder = '<script id="grouser-data" type="text/plain">@GROUSER_DATA@</script>';

async function bundledScript() {
  const result = await build({
    entryPoints: [join(root, "src/main.ts")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "none",
  });
  const licenses = await Promise.all(["three", "uplot"].map(async (name) =>
    `${name}\n\n${await readFile(join(root, "node_modules", name, "LICENSE"), "utf8")}`));
  const text = `${result.outputFiles[0].text}/*\n${licenses.join("\n")}*/`;
  // The end tag would close the element that the script stands in.
  return text.replaceAll("</script", "<\\/script");
}

async function bundledStyle() {
  const parts = ["node_modules/uplot/dist/uPlot.min.css", "src/style.css"];
  const texts = await Promise.all(parts.map((part) => readFile(join(root, part), "utf8")));
  return (await transform(texts.join("\n"), { loader: "css", minify: true })).code;
}

function count(text, part) {
  return text.split(part).length - 1;
}

const [template, script, style] = await Promise.all([
  readFile(join(root, "src/page.html"), "utf8"),
  bundledScript(),
  bundledStyle(),
]);
const page = template
  .replace("/* style */", () => style)
  .replace("/* script */", () => script);
if (count(page, "@GROUSER_DATA@") !== 1 || count(page, placeholder) !== 1)
  throw new Error("the page must have the place of its data exactly once");

await mkdir(join(root, "dist"), { recursive: true });
await writeFile(join(root, "dist/page.html"), page);
console.log(`dist/page.html: ${Buffer.byteLength(page)} bytes`);
