import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseAllowlist } from "@reports/runtime";
import type { FindAddresses } from "@reports/runtime/egress";
import { expect, test } from "vitest";
import { createDeliverySender, readRetryAfterMs } from "./send-delivery.ts";

const signed = { body: "{}", headers: {} };
const never = new AbortController().signal;
const url = "https://receiver.example/hook";

const answers = { "no-such-name": null, forbidden: "10.0.0.1", closed: "127.0.0.2" } as const;

async function send(answer: keyof typeof answers, entries: readonly string[] = []) {
  const address = answers[answer];
  const find: FindAddresses = () => ({
    addresses:
      address === null
        ? Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }))
        : Promise.resolve([{ address, family: 4 }]),
    ended: Promise.resolve(),
  });
  const allowlist = parseAllowlist(["127.0.0.2", ...entries], (entry) => expect.unreachable(entry));
  const times = { connectTimeoutMs: 10_000, timeoutMs: 20_000 };
  const attempt = { now: () => new Date(), signal: never, onResolved: () => undefined };
  const sender = createDeliverySender({ allowlist, findAddresses: find, findAllowed: find, ...times });
  const sent = await sender(url, signed, attempt);
  await sent.close();
  return sent.outcome;
}

test("a webhook owner sees one code for unknown hosts, forbidden IPs and closed ports", async () => {
  expect(await send("no-such-name")).toMatchObject({ code: "CONNECTION_FAILED", found: "NAME_NOT_FOUND" });
  expect(await send("forbidden")).toMatchObject({ code: "CONNECTION_FAILED", found: "ADDRESS_FORBIDDEN" });
  expect(await send("closed")).toMatchObject({ code: "CONNECTION_FAILED", found: "CONNECTION_FAILED" });
});

test("for a host in WEBHOOK_ALLOW, the webhook's owner sees that it has no address", async () => {
  expect(await send("no-such-name", ["receiver.example"])).toMatchObject({ code: "NAME_NOT_FOUND" });
});

test.each([
  ["the scheme and port of the receiver", "http", 0, true],
  ["another port", "http", 1, false],
  ["another scheme", "https", 0, false],
] as const)("WEBHOOK_ALLOW with %s decides whether a receiver is called", async (_, scheme, off, isCalled) => {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls += 1;
    response.writeHead(204).end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const allowed = port === 65_535 ? port - off : port + off;
  const allowlist = parseAllowlist([`${scheme}://127.0.0.1:${allowed}`], (entry) => expect.unreachable(entry));
  const find: FindAddresses = () => expect.unreachable("An address is not looked up.");
  const times = { connectTimeoutMs: 10_000, timeoutMs: 20_000 };
  const sender = createDeliverySender({ allowlist, findAddresses: find, findAllowed: find, ...times });
  const attempt = { now: () => new Date(), signal: never, onResolved: () => undefined };
  const sent = await sender(`http://127.0.0.1:${port}/hook`, signed, attempt);
  await sent.close();
  server.close();
  expect(calls).toBe(isCalled ? 1 : 0);
  expect(sent.outcome).toMatchObject(isCalled ? { status: 204 } : { found: "ADDRESS_FORBIDDEN" });
});

test.each([
  ["120", undefined, 120_000],
  ["Sun, 22 Nov 2026 12:00:15 GMT", "Sun, 22 Nov 2026 12:00:00 GMT", 15_000],
  ["Sun, 22 Nov 2026 12:00:15 GMT", "Sun, 22 Nov 2026 12:00:15 GMT", 0],
  ["Sun, 22 Nov 2026 12:00:00 GMT", "Sun, 22 Nov 2026 12:00:15 GMT", 0],
  ["Sun, 22 Nov 2026 13:00:10 GMT", undefined, 10_000],
  ["Sun, 22 Nov 2026 13:00:10 GMT", "no date", 10_000],
  ["soon", "Sun, 22 Nov 2026 12:00:00 GMT", null],
  [undefined, "Sun, 22 Nov 2026 12:00:00 GMT", null],
])("the worker reads Retry-After %s of a response with Date %s as %s ms", (retryAfter, date, ms) => {
  const now = () => new Date("2026-11-22T13:00:00Z");
  expect(readRetryAfterMs({ "retry-after": retryAfter, date }, now)).toBe(ms);
});
