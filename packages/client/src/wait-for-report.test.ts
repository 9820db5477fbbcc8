import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { WaitTimeoutError } from "./errors.ts";
import { fastPacing, gatewayAt } from "./test/gateway-under-test.ts";
import { sendJson, sendProblem, serveResponses } from "./test/serve-responses.ts";

const open = { id: "r", status: "RUNNING", finishedAt: null };
const ended = { id: "r", status: "SUCCEEDED", finishedAt: "2026-01-01T00:00:00.000Z" };
const waited = { "Preference-Applied": "wait=30" };

test("who watches sees the record at once and every change, and asks with what it has", async () => {
  await using server = await serveResponses((response, _request, count) => {
    if (count === 1) sendJson(response, 200, open, { ETag: '"r1"' });
    else if (count === 2) response.writeHead(304, { ETag: '"r1"', ...waited }).end();
    else sendJson(response, 200, ended, { ETag: '"r2"', ...waited });
  });
  const seen: string[] = [];
  const gateway = gatewayAt(server.baseUrl);
  expect(await gateway.reports.wait("r", { onProgress: ({ status }) => seen.push(status) })).toEqual(ended);
  expect(seen).toEqual(["RUNNING", "SUCCEEDED"]);
  expect(server.seen.map(({ headers }) => [headers["prefer"], headers["if-none-match"]])).toEqual([
    [undefined, undefined],
    ["wait=30", '"r1"'],
    ["wait=30", '"r1"'],
  ]);
});

test("who does not watch is answered at the end alone", async () => {
  await using server = await serveResponses((response, _request, count) =>
    sendJson(response, 200, count === 1 ? open : ended, { ETag: '"r1"', ...waited }),
  );
  expect(await gatewayAt(server.baseUrl).reports.wait("r")).toEqual(ended);
  expect(server.seen.map(({ headers }) => [headers["prefer"], headers["if-none-match"]])).toEqual([
    ["wait=30", undefined],
    ["wait=30", undefined],
  ]);
});

test("where the preference is not applied it asks again after Retry-After", async () => {
  const pacing = fastPacing();
  await using server = await serveResponses((response, _request, count) =>
    sendJson(response, 200, count <= 2 ? open : ended, count === 1 ? { "Retry-After": "15" } : {}),
  );
  expect(await gatewayAt(server.baseUrl, { pacing }).reports.wait("r")).toEqual(ended);
  expect(pacing.pauses).toEqual([15_000, 2_000]);
});

test("compares a Retry-After date with the response's Date, not the local clock", async () => {
  const pacing = fastPacing();
  const dates = { Date: "Sun, 22 Nov 2099 12:00:00 GMT", "Retry-After": "Sun, 22 Nov 2099 12:00:15 GMT" };
  await using server = await serveResponses((response, _request, count) =>
    sendJson(response, 200, count === 1 ? open : ended, dates),
  );
  expect(await gatewayAt(server.baseUrl, { pacing }).reports.wait("r")).toEqual(ended);
  expect(pacing.pauses).toEqual([15_000]);
});

test("between two questions lie a second at least and two minutes at most, whatever Retry-After says", async () => {
  const pacing = fastPacing();
  const said = ["0", "99999999999", "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "soon"];
  await using server = await serveResponses((response, _request, count) =>
    sendJson(response, 200, count <= said.length ? open : ended, { "Retry-After": said[count - 1] ?? "1" }),
  );
  expect(await gatewayAt(server.baseUrl, { pacing }).reports.wait("r")).toEqual(ended);
  expect(pacing.pauses).toEqual([1_000, 120_000, 120_000, 1_000, 2_000]);
});

test.each([2 ** 31, Number.POSITIVE_INFINITY])("a time of %d ms is not over at once", async (timeoutMs) => {
  await using server = await serveResponses((response, _request, count) =>
    sendJson(response, 200, count <= 2 ? open : ended, count === 1 ? {} : waited),
  );
  const short = { ...fastPacing(), pause: async () => setTimeout(20) };
  expect(await gatewayAt(server.baseUrl, { pacing: short }).reports.wait("r", { timeoutMs })).toEqual(ended);
});

test("a fault of the gateway does not end the wait", async () => {
  await using server = await serveResponses((response, _request, count) => {
    if (count === 1) response.destroy();
    else if (count === 2) sendProblem(response, 503, "not-ready");
    else sendJson(response, 200, ended, waited);
  });
  expect(await gatewayAt(server.baseUrl).reports.wait("r")).toEqual(ended);
});

test.each(["FAILED", "CANCELLED", "EXPIRED", "OF_A_LATER_VERSION"])("%s is an end like any other", async (status) => {
  await using server = await serveResponses((response) => sendJson(response, 200, { ...ended, status }, waited));
  expect(await gatewayAt(server.baseUrl).reports.wait("r")).toMatchObject({ status });
});

test("an open state of a later version is no end", async () => {
  await using server = await serveResponses((response, _request, count) =>
    sendJson(response, 200, count === 1 ? { ...open, status: "PAUSED" } : ended, waited),
  );
  expect(await gatewayAt(server.baseUrl).reports.wait("r")).toEqual(ended);
});

test("a report that is deleted meanwhile is a GatewayError", async () => {
  await using server = await serveResponses((response) => sendProblem(response, 410, "report-deleted"));
  await expect(gatewayAt(server.baseUrl).reports.wait("r")).rejects.toMatchObject({ code: "report-deleted" });
});

test("its time over, it rejects with what goes on", async () => {
  await using server = await serveResponses(() => undefined);
  const wait = gatewayAt(server.baseUrl).reports.wait("r", { timeoutMs: 20 });
  await expect(wait).rejects.toBeInstanceOf(WaitTimeoutError);
  await expect(wait).rejects.toMatchObject({ reportId: "r" });
});

test("the caller's signal ends it, with its own reason, and leaves the gateway", async () => {
  const leaving = new AbortController();
  const reason = new Error("The caller left.");
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  await using server = await serveResponses((response) => {
    response.once("close", leave);
    leaving.abort(reason);
  });
  const wait = gatewayAt(server.baseUrl).reports.wait("r", { signal: leaving.signal, timeoutMs: 60_000 });
  await expect(wait).rejects.toBe(reason);
  await left;
});
