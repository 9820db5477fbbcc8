import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Retry } from "./call-options.ts";
import { WaitTimeoutError } from "./errors.ts";
import { createInstantClientTiming, createTestGateway } from "./test/gateway-under-test.ts";
import { sendTestJson, sendTestProblem, startTestResponseServer } from "./test/start-test-response-server.ts";

const open = { id: "r", status: "RUNNING", finishedAt: null };
const ended = { id: "r", status: "SUCCEEDED", finishedAt: "2026-01-01T00:00:00.000Z" };
const waited = { "Preference-Applied": "wait=30" };

test("with onProgress, a wait reports the record immediately and after every change", async () => {
  await using server = await startTestResponseServer((response, _request, count) => {
    if (count === 1) sendTestJson(response, 200, open, { ETag: '"r1"' });
    else if (count === 2) response.writeHead(304, { ETag: '"r1"', ...waited }).end();
    else sendTestJson(response, 200, ended, { ETag: '"r2"', ...waited });
  });
  const seen: string[] = [];
  const gateway = createTestGateway(server.baseUrl);
  expect(await gateway.reports.wait("r", { onProgress: ({ status }) => seen.push(status) })).toEqual(ended);
  expect(seen).toEqual(["RUNNING", "SUCCEEDED"]);
  expect(server.seen.map(({ headers }) => [headers["prefer"], headers["if-none-match"]])).toEqual([
    [undefined, undefined],
    ["wait=30", '"r1"'],
    ["wait=30", '"r1"'],
  ]);
});

test("without onProgress, a wait sends requests that return at the end of the report", async () => {
  await using server = await startTestResponseServer((response, _request, count) =>
    sendTestJson(response, 200, count === 1 ? open : ended, { ETag: '"r1"', ...waited }),
  );
  expect(await createTestGateway(server.baseUrl).reports.wait("r")).toEqual(ended);
  expect(server.seen.map(({ headers }) => [headers["prefer"], headers["if-none-match"]])).toEqual([
    ["wait=30", undefined],
    ["wait=30", undefined],
  ]);
});

test("without Preference-Applied, a wait sends the next request after Retry-After", async () => {
  const pacing = createInstantClientTiming();
  await using server = await startTestResponseServer((response, _request, count) =>
    sendTestJson(response, 200, count <= 2 ? open : ended, count === 1 ? { "Retry-After": "15" } : {}),
  );
  expect(await createTestGateway(server.baseUrl, { pacing }).reports.wait("r")).toEqual(ended);
  expect(pacing.pauses).toEqual([15_000, 2_000]);
});

test("a wait compares a Retry-After date with the response's Date, not the local clock", async () => {
  const pacing = createInstantClientTiming();
  const dates = { Date: "Sun, 22 Nov 2099 12:00:00 GMT", "Retry-After": "Sun, 22 Nov 2099 12:00:15 GMT" };
  await using server = await startTestResponseServer((response, _request, count) =>
    sendTestJson(response, 200, count === 1 ? open : ended, dates),
  );
  expect(await createTestGateway(server.baseUrl, { pacing }).reports.wait("r")).toEqual(ended);
  expect(pacing.pauses).toEqual([15_000]);
});

test("a wait pauses 1 to 120 s before its next request, for any Retry-After", async () => {
  const pacing = createInstantClientTiming();
  const said = ["0", "99999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "soon"];
  await using server = await startTestResponseServer((response, _request, count) =>
    sendTestJson(response, 200, count <= said.length ? open : ended, { "Retry-After": said[count - 1] ?? "1" }),
  );
  expect(await createTestGateway(server.baseUrl, { pacing }).reports.wait("r")).toEqual(ended);
  expect(pacing.pauses).toEqual([1_000, 120_000, 120_000, 1_000, 2_000]);
});

test.each([2 ** 31, Number.POSITIVE_INFINITY])(
  "a timeout of %d ms does not end the wait immediately",
  async (timeoutMs) => {
    await using server = await startTestResponseServer((response, _request, count) =>
      sendTestJson(response, 200, count <= 2 ? open : ended, count === 1 ? {} : waited),
    );
    const short = { ...createInstantClientTiming(), pause: async () => setTimeout(20) };
    expect(await createTestGateway(server.baseUrl, { pacing: short }).reports.wait("r", { timeoutMs })).toEqual(ended);
  },
);

test("a failed request does not end the wait, which reports its retries", async () => {
  await using server = await startTestResponseServer((response, _request, count) => {
    if (count === 1) response.destroy();
    else if (count === 2) sendTestProblem(response, 503, "not-ready");
    else sendTestJson(response, 200, ended, waited);
  });
  const statuses: number[] = [];
  const onRetry = ({ reason }: Retry): void => void statuses.push(reason.status);
  expect(await createTestGateway(server.baseUrl).reports.wait("r", { onRetry })).toEqual(ended);
  expect(statuses).toEqual([0, 503]);
});

test.each(["FAILED", "CANCELLED", "EXPIRED", "OF_A_LATER_VERSION"])(
  "a report that is %s ends the wait",
  async (status) => {
    await using server = await startTestResponseServer((response) =>
      sendTestJson(response, 200, { ...ended, status }, waited),
    );
    expect(await createTestGateway(server.baseUrl).reports.wait("r")).toMatchObject({ status });
  },
);

test("an unfinished status of a later version does not end the wait", async () => {
  await using server = await startTestResponseServer((response, _request, count) =>
    sendTestJson(response, 200, count === 1 ? { ...open, status: "PAUSED" } : ended, waited),
  );
  expect(await createTestGateway(server.baseUrl).reports.wait("r")).toEqual(ended);
});

test("a wait rejects with a GatewayError if the report is deleted meanwhile", async () => {
  await using server = await startTestResponseServer((response) => sendTestProblem(response, 410, "report-deleted"));
  await expect(createTestGateway(server.baseUrl).reports.wait("r")).rejects.toMatchObject({ code: "report-deleted" });
});

test("a wait rejects with a WaitTimeoutError that names the report when time is over", async () => {
  await using server = await startTestResponseServer(() => undefined);
  const wait = createTestGateway(server.baseUrl).reports.wait("r", { timeoutMs: 20 });
  await expect(wait).rejects.toBeInstanceOf(WaitTimeoutError);
  await expect(wait).rejects.toMatchObject({ reportId: "r" });
});

test("the caller's signal ends the wait with its reason and closes the connection", async () => {
  const controller = new AbortController();
  const reason = new Error("The caller left.");
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  await using server = await startTestResponseServer((response) => {
    response.once("close", leave);
    controller.abort(reason);
  });
  const wait = createTestGateway(server.baseUrl).reports.wait("r", { signal: controller.signal, timeoutMs: 60_000 });
  await expect(wait).rejects.toBe(reason);
  await left;
});
