import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { maxErrorBodyBytes, watchFailures } from "./watch-failures.ts";

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toUTCString();

async function serve(answer: (response: ServerResponse) => unknown) {
  const server = createServer((_request, response) => void answer(response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test.each([
  ["seconds", () => "3600", true],
  ["a date", inAnHour, true],
  ["few seconds", () => "3", false],
  ["a date in the past", () => "Thu, 01 Jan 1970 00:00:00 GMT", false],
  ["an unknown value", () => "soon", false],
])("the program gives up immediately only if Retry-After (%s) is too long", async (_, value, isLong) => {
  using service = await serve((response) => response.writeHead(503, { "Retry-After": value() }).end());
  const printed: string[] = [];
  const { fetch, giveUp } = watchFailures(
    (line) => printed.push(line),
    () => 0,
  );
  await fetch(service.url);
  expect(giveUp.aborted).toBe(isLong);
  expect(printed).toHaveLength(isLong ? 0 : 1);
});

test("a date in Retry-After counts from the response's Date, not from the local clock", async () => {
  using service = await serve((response) =>
    response
      .writeHead(503, { Date: "Sun, 22 Nov 2099 12:00:00 GMT", "Retry-After": "Sun, 22 Nov 2099 12:00:03 GMT" })
      .end(),
  );
  const { fetch, giveUp } = watchFailures(
    () => undefined,
    () => 0,
  );
  await fetch(service.url);
  expect(giveUp.aborted).toBe(false);
});

const problem = JSON.stringify({ code: "overloaded", detail: "Too much waits." });

test.each([
  ["is as large as a usual problem", 60_000, (response: ServerResponse) => response.end(problem), problem],
  ["never ends", 100, (response: ServerResponse) => response.write(problem), problem],
  [
    "is larger than any error",
    60_000,
    (response: ServerResponse) => response.write("x".repeat(2 ** 20)),
    "x".repeat(maxErrorBodyBytes),
  ],
])("an error body that %s is read only to its limits of size and time", async (_, withinMs, send, text) => {
  for (const status of [503, 404, 302]) {
    using service = await serve((response) => send(response.writeHead(status, { "X-Request-Id": "r-1" })));
    const { fetch } = watchFailures(
      () => undefined,
      () => 0,
      withinMs,
    );
    const answer = await fetch(service.url, { redirect: "manual" });
    expect([answer.status, answer.headers.get("X-Request-Id")]).toEqual([status, "r-1"]);
    expect(await answer.text()).toBe(text);
  }
});
