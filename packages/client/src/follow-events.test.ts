import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { Retry } from "./call-options.ts";
import type { ReportNews } from "./follow-events.ts";
import { createInstantClientTiming, createTestGateway } from "./test/gateway-under-test.ts";
import { sendTestProblem, startTestResponseServer } from "./test/start-test-response-server.ts";

const status = (id: number, to: string): string => `event: status\nid: ${id}\ndata: ${JSON.stringify({ id, to })}\n\n`;
const progress = (rowsDone: number): string => `event: progress\ndata: ${JSON.stringify({ rowsDone })}\n\n`;

function sendStream(response: ServerResponse, text: string): ServerResponse {
  response.writeHead(200, { "Content-Type": "text/event-stream" }).write(`retry: 1000\n\n${text}`);
  return response;
}

async function followAll(news: AsyncIterable<ReportNews>): Promise<string[]> {
  const seen: string[] = [];
  for await (const one of news) seen.push(one.kind === "status" ? one.event.to : String(one.progress.rowsDone));
  return seen;
}

test("followEvents yields each transition once, even if streams end, break or fail to open", async () => {
  await using server = await startTestResponseServer((response, _request, count) => {
    if (count === 1) sendStream(response, status(1, "QUEUED")).end();
    else if (count === 2) sendTestProblem(response, 503, "not-ready");
    else if (count === 3)
      sendStream(response, `${status(2, "RUNNING")}${progress(7)}event: status\nid: 3\nda`).write("", () =>
        response.destroy(),
      );
    else sendStream(response, `event: of-a-later-version\ndata: {}\n\n: still here\n\n${status(3, "SUCCEEDED")}`).end();
  });
  const pacing = createInstantClientTiming();
  const statuses: number[] = [];
  const onRetry = ({ reason }: Retry): void => void statuses.push(reason.status);
  const seen = await followAll(createTestGateway(server.baseUrl, { pacing }).reports.events("r", { onRetry }));
  expect(statuses).toEqual([503, 0]);
  expect(seen).toEqual(["QUEUED", "RUNNING", "7", "SUCCEEDED"]);
  expect(server.seen.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "1", "1", "2"]);
  expect(server.seen[0]).toMatchObject({ url: "/v1/reports/r/events", headers: { accept: "text/event-stream" } });
  expect(pacing.pauses).toEqual([1_000, 0, 0]);
});

test.each(["SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED", "DELETED"])(
  "the events of a report end with %s",
  async (last) => {
    await using server = await startTestResponseServer((response) => sendStream(response, status(1, last)).end());
    expect(await followAll(createTestGateway(server.baseUrl).reports.events("r"))).toEqual([last]);
    expect(server.seen).toHaveLength(1);
  },
);

test("followEvents yields EXPIRED after SUCCEEDED if the file has already expired", async () => {
  await using server = await startTestResponseServer((response) =>
    sendStream(response, status(1, "SUCCEEDED") + status(2, "EXPIRED")).end(),
  );
  expect(await followAll(createTestGateway(server.baseUrl).reports.events("r"))).toEqual(["SUCCEEDED", "EXPIRED"]);
  expect(server.seen).toHaveLength(1);
});

test("followEvents ends at a 204 even if its stream broke off after the last event", async () => {
  await using server = await startTestResponseServer((response, _request, count) =>
    count === 1
      ? sendStream(response, status(1, "SUCCEEDED")).write("", () => response.destroy())
      : response.writeHead(204).end(),
  );
  expect(
    await followAll(createTestGateway(server.baseUrl, { pacing: createInstantClientTiming() }).reports.events("r")),
  ).toEqual(["SUCCEEDED"]);
});

test("followEvents ends at a 204 after a final status that this version does not know", async () => {
  await using server = await startTestResponseServer((response, _request, count) =>
    count === 1 ? sendStream(response, status(1, "ARCHIVED")).end() : response.writeHead(204).end(),
  );
  expect(await followAll(createTestGateway(server.baseUrl).reports.events("r"))).toEqual(["ARCHIVED"]);
});

test("the events of a report fail after eight retries without an event", async () => {
  await using server = await startTestResponseServer((response, _request, count) =>
    count === 1 ? sendStream(response, status(1, "QUEUED")).write("", () => response.destroy()) : response.destroy(),
  );
  await expect(followAll(createTestGateway(server.baseUrl).reports.events("r"))).rejects.toMatchObject({
    code: "unreachable",
  });
  expect(server.seen).toHaveLength(9);
});

test("followEvents closes its connection when the reader stops or the signal aborts", async () => {
  let closed = Promise.withResolvers<void>();
  await using server = await startTestResponseServer((response) => {
    response.once("close", () => closed.resolve());
    sendStream(response, status(1, "QUEUED"));
  });
  const gateway = createTestGateway(server.baseUrl);
  for await (const one of gateway.reports.events("r")) {
    expect(one.kind).toBe("status");
    break;
  }
  await closed.promise;

  closed = Promise.withResolvers();
  const controller = new AbortController();
  const reason = new Error("The caller left.");
  const following = (async () => {
    for await (const _ of gateway.reports.events("r", { signal: controller.signal })) controller.abort(reason);
  })();
  await expect(following).rejects.toBe(reason);
  await closed.promise;
});
