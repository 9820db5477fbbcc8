import { once } from "node:events";
import { DomainError, StoreUnavailableError } from "@reports/core/base";
import { expect, test } from "vitest";
import { watchCallerCredentials } from "./watch-caller-credentials.ts";

test("watchCallerCredentials aborts if credentials become invalid, even after failed checks", async () => {
  const outcomes = [
    null,
    new StoreUnavailableError("The database is away."),
    new DomainError("unavailable", "login-busy", "Later."),
    new DomainError("unauthenticated", "credentials-invalid", "No more."),
  ];
  let asked = 0;
  const confirmCaller = async (): Promise<void> => {
    const outcome = outcomes[asked++];
    if (outcome instanceof Error) throw outcome;
  };
  using caller = watchCallerCredentials({ confirmCaller }, 1);
  await once(caller.refused, "abort");
  expect(asked).toBe(4);
  expect(caller.refused.reason).toBe(outcomes[3]);
});
