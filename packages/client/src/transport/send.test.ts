import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, expect, test, vi } from "vitest";
import type { Retry } from "../call-options.ts";
import { GatewayError } from "../errors.ts";
import { createInstantClientTiming, createTestGateway } from "../test/gateway-under-test.ts";
import { systemClientTiming } from "./client-timing.ts";
import { sendTestJson, sendTestProblem, startTestResponseServer } from "../test/start-test-response-server.ts";

const report = { id: "r", status: "QUEUED", finishedAt: null };

async function failureOf(promise: Promise<unknown>): Promise<GatewayError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
}

const faults: readonly [string, (response: ServerResponse) => void][] = [
  ["a connection that breaks off", (response) => response.destroy()],
  [
    "a response that breaks off",
    (response) => response.writeHead(200, { "Content-Length": "100" }).write("{", () => response.destroy()),
  ],
  ["429", (response) => sendTestProblem(response, 429, "too-many-starts")],
  ["502 of a proxy", (response) => response.writeHead(502).end("<html>")],
  ["503", (response) => sendTestProblem(response, 503, "dependency-unavailable")],
  ["504 of a proxy", (response) => response.writeHead(504).end()],
];

describe.each(faults)("after %s", (_, fail) => {
  test("the client retries a start under the same idempotency key", async () => {
    await using server = await startTestResponseServer((response, _request, count) =>
      count <= 2 ? fail(response) : sendTestJson(response, 202, report),
    );
    expect(await createTestGateway(server.baseUrl).reports.start({ reportType: "PROXY" })).toEqual(report);
    const keys = new Set(server.seen.map(({ headers }) => headers["idempotency-key"]));
    expect([server.seen.length, keys.size]).toEqual([3, 1]);
    expect([...keys][0]).toMatch(/^\d+(?:-\d+){3}$/);
  });

  test("the client does not retry a write that may have had an effect", async () => {
    await using server = await startTestResponseServer(fail);
    const gateway = createTestGateway(server.baseUrl);
    const input = { name: "a", kind: "REVERSE", address: "192.0.2.1", port: 80, protocol: "HTTP" };
    await failureOf(gateway.proxies.create(input));
    await failureOf(gateway.proxies.patch("p", { port: 81 }, { ifMatch: '"1-1"' }));
    await failureOf(gateway.proxies.replace("p", input, { ifMatch: '"1-1"' }));
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "PATCH", "PUT"]);
  });

  test("a request fails after eight retries", async () => {
    await using server = await startTestResponseServer(fail);
    await failureOf(createTestGateway(server.baseUrl).reports.get("r"));
    expect(server.seen).toHaveLength(9);
  });
});

test("the client sends the caller's idempotency key unchanged", async () => {
  await using server = await startTestResponseServer((response) => sendTestJson(response, 202, report));
  await createTestGateway(server.baseUrl).reports.start({ reportType: "PROXY" }, { idempotencyKey: "mine" });
  expect(server.seen[0]).toMatchObject({
    method: "POST",
    url: "/v1/reports",
    headers: { "idempotency-key": "mine", authorization: "Bearer a-token", "content-type": "application/json" },
    body: '{"reportType":"PROXY"}',
  });
});

test.each([400, 403, 404, 410, 412, 422, 500])(
  "the status %s rejects without a retry, with every field of the problem",
  async (status) => {
    const problem = {
      type: "/problems/of-a-later-version",
      title: "Of a later version",
      status,
      code: "of-a-later-version",
      detail: "It is wrong.",
      instance: "/v1/reports/r",
      requestId: "r-1",
      errors: [{ code: "wrong", message: "It is wrong.", pointer: "/x" }],
    };
    await using server = await startTestResponseServer((response) =>
      sendTestJson(response, status, problem, { "X-Request-Id": "r-1" }),
    );
    expect(await failureOf(createTestGateway(server.baseUrl).reports.get("r"))).toMatchObject({
      name: "GatewayError",
      message: `${status} of-a-later-version: It is wrong.`,
      status,
      code: "of-a-later-version",
      detail: "It is wrong.",
      requestId: "r-1",
      issues: problem.errors,
      retryAfterSeconds: null,
    });
    expect(server.seen).toHaveLength(1);
  },
);

test("before a retry, the client waits for Retry-After plus a random time that grows", async () => {
  await using server = await startTestResponseServer((response, _request, count) =>
    sendTestProblem(response, 503, "dependency-unavailable", count === 2 ? { "Retry-After": "5" } : {}),
  );
  const half = createInstantClientTiming(0.5);
  const error = await failureOf(createTestGateway(server.baseUrl, { pacing: half }).reports.get("r"));
  expect(error.code).toBe("dependency-unavailable");
  expect(half.pauses).toEqual([250, 5_500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
});

test("a request fails immediately if Retry-After is longer than two minutes", async () => {
  await using server = await startTestResponseServer((response) =>
    sendTestProblem(response, 429, "overloaded", { "Retry-After": "121" }),
  );
  const error = await failureOf(createTestGateway(server.baseUrl).reports.get("r"));
  expect([error.retryAfterSeconds, server.seen.length]).toEqual([121, 1]);
});

test("the caller's signal ends a request or its pause with the signal's reason", async () => {
  const reason = new Error("The caller left.");
  const controller = new AbortController();
  await using server = await startTestResponseServer(() => controller.abort(reason));
  const gateway = createTestGateway(server.baseUrl);
  await expect(gateway.reports.get("r", { signal: controller.signal })).rejects.toBe(reason);
  await expect(gateway.reports.get("r", { signal: controller.signal })).rejects.toBe(reason);
  expect(server.seen).toHaveLength(1);

  const later = new AbortController();
  await using failing = await startTestResponseServer((response) => response.destroy());
  const waiting = createInstantClientTiming();
  const pause = async (ms: number, signal?: AbortSignal): Promise<void> => {
    later.abort(reason);
    await waiting.pause(ms, signal);
  };
  const patient = createTestGateway(failing.baseUrl, { pacing: { ...waiting, pause } });
  await expect(patient.reports.get("r", { signal: later.signal })).rejects.toBe(reason);
  expect(failing.seen).toHaveLength(1);
});

test("onRetry gets each retry with its reason and the time of the next attempt", async () => {
  await using server = await startTestResponseServer((response, _request, count) => {
    if (count === 1) sendTestProblem(response, 429, "too-many-starts", { "Retry-After": "35" });
    else if (count === 2) response.destroy();
    else sendTestJson(response, 202, report);
  });
  const retries: Retry[] = [];
  const half = createInstantClientTiming(0.5);
  half.advance(1_000);
  const onRetry = (retry: Retry): void => void retries.push(retry);
  await createTestGateway(server.baseUrl, { pacing: half }).reports.start({ reportType: "PROXY" }, { onRetry });
  expect(retries).toMatchObject([
    { number: 1, at: new Date(36_250), reason: { status: 429, code: "too-many-starts", retryAfterSeconds: 35 } },
    { number: 2, at: new Date(1_500), reason: { status: 0, code: "unreachable", retryAfterSeconds: null } },
  ]);
});

test("onRetry is not called for a request that is not retried", async () => {
  await using server = await startTestResponseServer((response) =>
    sendTestProblem(response, 503, "dependency-unavailable"),
  );
  const onRetry = vi.fn<() => void>();
  await failureOf(createTestGateway(server.baseUrl).reports.rename("r", "Other", { onRetry }));
  expect(onRetry).not.toHaveBeenCalled();
  await failureOf(createTestGateway(server.baseUrl).reports.get("r", { onRetry }));
  expect(onRetry).toHaveBeenCalledTimes(8);
});

test("an abort from onRetry ends the wait without another attempt", async () => {
  const reason = new Error("The caller left.");
  const controller = new AbortController();
  await using server = await startTestResponseServer((response) =>
    sendTestProblem(response, 429, "too-many-starts", { "Retry-After": "100" }),
  );
  const { signal } = controller;
  // The pause takes 100 s of real time, unless the signal ends it.
  const gateway = createTestGateway(server.baseUrl, { pacing: systemClientTiming });
  const start = gateway.reports.start({ reportType: "PROXY" }, { signal, onRetry: () => controller.abort(reason) });
  await expect(start).rejects.toBe(reason);
  expect(server.seen).toHaveLength(1);
});

test("the client rejects the response of another server as unexpected-answer", async () => {
  await using server = await startTestResponseServer((response, { url }) => {
    if (url.endsWith("/moved")) response.writeHead(302, { Location: "/elsewhere" }).end();
    else response.writeHead(url.endsWith("/page") ? 200 : 404, { "Content-Type": "text/html" }).end("<html>");
  });
  const gateway = createTestGateway(server.baseUrl);
  for (const [id, status] of [
    ["page", 200],
    ["missing", 404],
    ["moved", 302],
  ] as const)
    expect(await failureOf(gateway.reports.get(id))).toMatchObject({ status, code: "unexpected-answer" });
  expect(server.seen).toHaveLength(3);
});

test("the client retries a request that gets no response in time", async () => {
  await using server = await startTestResponseServer((response, _request, count) => {
    if (count > 1) sendTestJson(response, 200, report);
  });
  const pacing = createInstantClientTiming();
  // Only the request without a response has the short limit, because the other one may take longer on a busy machine.
  const impatient = {
    ...pacing,
    get responseTimeoutMs() {
      return server.seen.length === 0 ? 50 : pacing.responseTimeoutMs;
    },
  };
  expect(await createTestGateway(server.baseUrl, { pacing: impatient }).reports.get("r")).toEqual(report);
  expect(server.seen).toHaveLength(2);
});

test("a refused connection is the error unreachable with the status 0", async () => {
  const server = await startTestResponseServer(() => undefined);
  await server[Symbol.asyncDispose]();
  const error = await failureOf(createTestGateway(server.baseUrl).reports.get("r"));
  expect(error).toMatchObject({ status: 0, code: "unreachable", requestId: null });
  expect(error.message).toContain(server.baseUrl);
});

test("the client returns unknown fields and statuses unchanged, and encodes IDs in paths", async () => {
  const later = { ...report, status: "PAUSED", extra: { deep: [1] } };
  await using server = await startTestResponseServer((response) => sendTestJson(response, 200, later));
  expect(await createTestGateway(`${server.baseUrl}/prefix/`).reports.get("a/../b?c")).toEqual(later);
  expect(server.seen[0]!.url).toBe("/prefix/v1/reports/a%2F..%2Fb%3Fc");
});

test.each(["", ".", ".."])("the client rejects the ID %j, which would change the path of the request", async (id) => {
  await using server = await startTestResponseServer((response) => sendTestJson(response, 200, []));
  const gateway = createTestGateway(server.baseUrl);
  await expect(gateway.reports.get(id)).rejects.toBeInstanceOf(TypeError);
  await expect(gateway.proxies.remove(id)).rejects.toBeInstanceOf(TypeError);
  await expect(Array.fromAsync(gateway.proxies.domains(id).list())).rejects.toBeInstanceOf(TypeError);
  expect(server.seen).toHaveLength(0);
});

test("the caller's signal also ends a write while its response is read", async () => {
  const reason = new Error("The caller left.");
  const controller = new AbortController();
  await using server = await startTestResponseServer((response) => {
    response.writeHead(200, { "Content-Length": "100" }).write("{");
  });
  const fetchThenAbort: typeof fetch = async (...request) => {
    const answer = await fetch(...request);
    controller.abort(reason);
    return answer;
  };
  const gateway = createTestGateway(server.baseUrl, { fetch: fetchThenAbort });
  const rename = gateway.reports.rename("r", "Other", { signal: controller.signal });
  await expect(rename).rejects.toBe(reason);
});

test("the client reads no more of an error response than a problem can hold", async () => {
  const { promise: sentAll, resolve } = Promise.withResolvers<boolean>();
  await using server = await startTestResponseServer((response) => {
    response.once("close", () => resolve(response.writableFinished));
    response.writeHead(403);
    const parts = Array.from({ length: 64 }, () => " ".repeat(2 ** 20));
    pipeline(Readable.from([...parts, "{}"]), response).catch(() => undefined);
  });
  const failure = await failureOf(createTestGateway(server.baseUrl).reports.get("r"));
  expect(failure).toMatchObject({ status: 403, code: "unexpected-answer" });
  expect(await sentAll).toBe(false);
});

test("a GatewayError has only the valid issues of its response", async () => {
  const issue = { pointer: "/format", code: "invalid", message: "It is wrong." };
  await using server = await startTestResponseServer((response, _request, count) => {
    const errors = count === 1 ? "many" : [null, 7, { pointer: "/x" }, issue];
    sendTestJson(response, 422, { code: "invalid-body", detail: "It is wrong.", errors });
  });
  const gateway = createTestGateway(server.baseUrl);
  expect((await failureOf(gateway.reports.get("r"))).issues).toEqual([]);
  expect((await failureOf(gateway.reports.get("r"))).issues).toEqual([issue]);
});

test.each([
  "ftp://a.example",
  "not a url",
  "https://alice:secret@a.example",
  "https://a.example/?x=1",
  "https://a.example/#x",
])("createGateway rejects the base URL %s without repeating it in the message", (baseUrl) => {
  expect(() => createTestGateway(baseUrl)).toThrow(
    /^baseUrl must be an http or https URL without credentials, query or fragment\.$/,
  );
});
