import { readAllowance } from "@reports/runtime";
import { createGuardedAgent } from "@reports/runtime/egress";
import { afterAll, expect, test } from "vitest";
import { createSender, readRetryAfter } from "./send-delivery.ts";

const signed = { body: "{}", headers: {} };
const never = new AbortController().signal;
const url = "https://receiver.example/hook";

/** What the name of the receiver leads to: nothing, a forbidden address, and an allowed one of this machine where nothing listens on 443. */
const answers = { "no-such-name": null, forbidden: "10.0.0.1", closed: "127.0.0.2" } as const;

const agents: { destroy(): Promise<void> }[] = [];
afterAll(async () => Promise.all(agents.map((agent) => agent.destroy())));

async function send(answer: keyof typeof answers, hosts: readonly string[] = []) {
  const address = answers[answer];
  const allowance = { ...readAllowance(["127.0.0.2"], () => undefined), hosts: new Set(hosts) };
  const agent = createGuardedAgent({
    allowance,
    connectTimeoutMs: 10_000,
    lookup: (_, __, done) =>
      address === null
        ? done(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), [])
        : done(null, [{ address, family: 4 }]),
  });
  agents.push(agent);
  const attempt = { now: () => new Date(), signal: never, onResolved: () => undefined };
  return (await createSender({ openAgent: () => agent, allowance, timeoutMs: 20_000 })(url, signed, attempt)).outcome;
}

test("to its owner a name that leads nowhere, one that leads to a forbidden address and a closed port are one thing; operators are told which", async () => {
  expect(await send("no-such-name")).toMatchObject({ code: "CONNECTION_FAILED", found: "NAME_NOT_FOUND" });
  expect(await send("forbidden")).toMatchObject({ code: "CONNECTION_FAILED", found: "ADDRESS_FORBIDDEN" });
  expect(await send("closed")).toMatchObject({ code: "CONNECTION_FAILED", found: "CONNECTION_FAILED" });
});

test("of a host that the deployment names its owner is told that the name has no address", async () => {
  expect(await send("no-such-name", ["receiver.example"])).toMatchObject({ code: "NAME_NOT_FOUND" });
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
])("reads Retry-After %s of a response with Date %s as %s ms", (retryAfter, date, ms) => {
  const now = () => new Date("2026-11-22T13:00:00Z");
  expect(readRetryAfter({ "retry-after": retryAfter, date }, now)).toBe(ms);
});
