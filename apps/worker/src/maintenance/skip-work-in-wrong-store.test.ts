import { StoreMismatchError, StoreUnavailableError } from "@reports/core/base";
import { expect, test } from "vitest";
import { skipWorkInWrongStore } from "./skip-work-in-wrong-store.ts";

const { signal } = new AbortController();

function roundWith(assert: () => Promise<void>) {
  let rounds = 0;
  const work = skipWorkInWrongStore({ assert }, async () => {
    rounds += 1;
    return true;
  });
  return { work, rounds: () => rounds };
}

test("skipWorkInWrongStore runs the work in the right store and skips it in another one", async () => {
  const right = roundWith(async () => undefined);
  expect(await right.work(signal)).toBe(true);
  expect(right.rounds()).toBe(1);
  const wrong = roundWith(async () => Promise.reject(new StoreMismatchError("another store")));
  expect(await wrong.work(signal)).toBe(false);
  expect(wrong.rounds()).toBe(0);
});

test("skipWorkInWrongStore rejects and runs no work while the store is unavailable", async () => {
  const away = roundWith(async () => Promise.reject(new StoreUnavailableError("away")));
  await expect(away.work(signal)).rejects.toThrow("away");
  expect(away.rounds()).toBe(0);
});
