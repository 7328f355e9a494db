// Finds the data, in the page or beside it, and starts.

import { App } from "./app";
import { bytesOfBase64, Container } from "./container";
import { byId } from "./dom";
import { readRun, type PageHeader } from "./run_data";
import { collectErrors } from "./test_hooks";

async function dataOfPage(): Promise<Uint8Array<ArrayBuffer>> {
  const element = byId("grouser-data");
  const text = (element.textContent ?? "").trim();
  // A page as it was built has a mark there that no base64 has.
  if (text.startsWith("@")) throw new Error("This page has no data: grouser report fills it in.");
  if (text !== "") {
    const bytes = bytesOfBase64(text);
    element.textContent = "";
    return bytes;
  }
  const answer = await fetch("data");
  if (!answer.ok) throw new Error(`The server has no data for this page (${answer.status}).`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function start(): Promise<void> {
  const container = new Container<PageHeader>(await dataOfPage());
  const { header } = container;
  const runs = await Promise.all((header.runs ?? []).map((run) => readRun(container, run)));
  Object.assign(window.grouser, new App(header, runs, errors).hooks());
}

const ready = Promise.resolve().then(start);
const errors = collectErrors(ready);
ready.catch((error: unknown) => {
  const message = byId("stage-message");
  message.textContent = error instanceof Error ? error.message : String(error);
  message.hidden = false;
});
