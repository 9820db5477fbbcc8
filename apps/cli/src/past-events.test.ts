import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { createGateway } from "@reports/client";
import { expect, test } from "vitest";
import { readPastEvents } from "./past-events.ts";

/** Longer than the pause after which the program checks whether a report is still queued. */
const stallMs = 800;

const eventTo = (to: string, id: number): string => `event: status\nid: ${id}\ndata: ${JSON.stringify({ id, to })}\n\n`;

/** Reads the past events of a report with this status, from a gateway that pauses before each event. */
async function readOf(status: string, transitions: readonly string[], end: (stream: ServerResponse) => void) {
  const server = createServer((request, response) => {
    if (!request.url!.endsWith("/events"))
      return void response.setHeader("Content-Type", "application/json").end(JSON.stringify({ id: "r", status }));
    response.setHeader("Content-Type", "text/event-stream");
    void (async () => {
      for (const [index, to] of transitions.entries()) {
        if (index > 0) await wait(stallMs);
        response.write(eventTo(to, index + 1));
      }
      end(response);
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { reports } = createGateway({ baseUrl, token: () => "secret" });
    const events = await readPastEvents(reports, "r", AbortSignal.timeout(20_000));
    return events.map(({ to }) => to);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.concurrent("readPastEvents waits for every event of a finished report", async () => {
  const all = ["QUEUED", "RUNNING", "SUCCEEDED"];
  expect(await readOf("SUCCEEDED", all, (stream) => stream.end())).toEqual(all);
});

test.concurrent("readPastEvents ends at the first progress of a running report", async () => {
  const progress = `event: progress\ndata: ${JSON.stringify({ percent: 5 })}\n\n`;
  const all = ["QUEUED", "RUNNING"];
  expect(await readOf("RUNNING", all, (stream) => void wait(stallMs).then(() => stream.write(progress)))).toEqual(all);
});

test.concurrent("readPastEvents ends for a queued report although its stream stays open", async () => {
  expect(await readOf("QUEUED", ["QUEUED"], () => undefined)).toEqual(["QUEUED"]);
});
