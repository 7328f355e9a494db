// A server as `grouser view` is one, for tests: the page, its data, events and orders.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { container, samplesEvent } from "./fixture.mjs";

/** The run without its samples. */
function beginning(run) {
  return {
    ...run, time: [], status: "running", warnings: [],
    channels: run.channels.map((channel) => ({ ...channel, data: channel.data.map(() => []) })),
    patches: (run.patches ?? []).map((patch) => ({ ...patch, perSample: [] })),
    soils: (run.soils ?? []).map((soil) => ({ ...soil, changes: [] })),
  };
}

export class LiveServer {
  orders = [];
  listeners = new Set();

  constructor(template, run) {
    this.run = run;
    const page = readFileSync(template, "utf8").replace("@GROUSER_DATA@", "");
    this.server = createServer((request, response) => this.answer(request, response, page));
  }

  async listen() {
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.server.address().port}/`;
  }

  close() {
    for (const listener of this.listeners) listener.destroy();
    this.server.close();
    this.server.closeAllConnections();
  }

  send(event, data) {
    for (const listener of this.listeners) listener.write(`event: ${event}\ndata: ${data}\n\n`);
  }

  sendSamples(first, end) {
    this.send("samples", samplesEvent(this.run, first, end));
  }

  sendState(state, time, duration) {
    this.send("state", JSON.stringify({ state, time, duration, speed: 0.5 }));
  }

  answer(request, response, page) {
    if (request.url === "/") {
      response.setHeader("Content-Type", "text/html");
      response.end(page);
    } else if (request.url === "/data") {
      response.end(container("live", [beginning(this.run)]));
    } else if (request.url === "/events") {
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      response.write("retry: 60000\n\n");
      this.listeners.add(response);
      response.on("close", () => this.listeners.delete(response));
    } else if (request.url === "/control" && request.method === "POST") {
      let text = "";
      request.on("data", (part) => { text += part; });
      request.on("end", () => {
        this.orders.push({ ...JSON.parse(text), header: request.headers["x-grouser"] });
        response.end("{}");
      });
    } else {
      response.writeHead(404).end();
    }
  }
}
