import { GatewayError, type Retry } from "@reports/client";
import { expect, test } from "vitest";
import { watchRetries } from "./watch-retries.ts";

function retryOf(status: number, detail: string): Retry {
  return {
    reason: new GatewayError({ status, code: "limit-exceeded", detail }),
    at: new Date(34_100),
    number: 1,
  };
}

test("a start that a limit refuses prints the limit and when it is repeated", () => {
  const said: string[] = [];
  let now = 0;
  const { onRetry, isRefused } = watchRetries(
    (line) => said.push(line),
    () => now,
  );
  onRetry(retryOf(429, "Limit of 20 report starts per minute reached; retry in 34 s."));
  expect(said).toEqual(["Limit of 20 report starts per minute reached. Starting in 35 s; press Ctrl-C to stop."]);
  expect(isRefused()).toBe(true);
  now = 40_000;
  expect(isRefused()).toBe(false);
});

test("after an outage, a later refusal does not prove that nothing was started", () => {
  const { onRetry, isRefused } = watchRetries(
    () => undefined,
    () => 0,
  );
  onRetry(retryOf(503, "Unavailable."));
  onRetry(retryOf(429, "Limit reached."));
  expect(isRefused()).toBe(false);
});
