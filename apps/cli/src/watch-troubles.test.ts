import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { watchTroubles } from "./watch-troubles.ts";

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toUTCString();

test.each([
  ["seconds", () => "3600", true],
  ["a date", inAnHour, true],
  ["few seconds", () => "3", false],
  ["a date that is over", () => "Thu, 01 Jan 1970 00:00:00 GMT", false],
  ["nothing that is known", () => "soon", false],
])("a service that asks for patience in %s is given up at once only where that is long", async (_, value, isLong) => {
  const server = createServer((_request, response) => response.writeHead(503, { "Retry-After": value() }).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const said: string[] = [];
  const { fetch, impatience } = watchTroubles(
    (line) => said.push(line),
    () => 0,
  );
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(impatience.aborted).toBe(isLong);
  expect(said).toHaveLength(isLong ? 0 : 1);
  server.closeAllConnections();
  server.close();
});
