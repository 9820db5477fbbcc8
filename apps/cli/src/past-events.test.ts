import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { createGateway } from "@reports/client";
import { expect, test } from "vitest";
import { readPastEvents } from "./past-events.ts";

/** Longer than a pause that ends the past of a queued report. */
const stallMs = 800;

const eventTo = (to: string, id: number): string => `event: status\nid: ${id}\ndata: ${JSON.stringify({ id, to })}\n\n`;

/** What is read of a report that has this status, from a gateway whose stream tells these transitions, each after a stall. */
async function readOf(status: string, told: readonly string[], end: (stream: ServerResponse) => void) {
  const server = createServer((request, response) => {
    if (!request.url!.endsWith("/events"))
      return void response.setHeader("Content-Type", "application/json").end(JSON.stringify({ id: "r", status }));
    response.setHeader("Content-Type", "text/event-stream");
    void (async () => {
      for (const [index, to] of told.entries()) {
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

test("of a finished report every event is read, however slowly they come", async () => {
  const all = ["QUEUED", "RUNNING", "SUCCEEDED"];
  expect(await readOf("SUCCEEDED", all, (stream) => stream.end())).toEqual(all);
});

test("of a running report they are read until its progress comes", async () => {
  const progress = `event: progress\ndata: ${JSON.stringify({ percent: 5 })}\n\n`;
  const all = ["QUEUED", "RUNNING"];
  expect(await readOf("RUNNING", all, (stream) => void wait(stallMs).then(() => stream.write(progress)))).toEqual(all);
});

test("of a queued report they are read until none comes, although the stream stays open", async () => {
  expect(await readOf("QUEUED", ["QUEUED"], () => undefined)).toEqual(["QUEUED"]);
});
