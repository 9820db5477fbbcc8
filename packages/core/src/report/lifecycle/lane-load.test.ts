import { expect, test } from "vitest";
import { createWaitCappedLoadReader } from "./lane-load.ts";

test("a lane's reported wait grows no faster than time when Postgres's clock jumps", async () => {
  let [time, oldestWaitMs] = [0, 2_000 as number | null];
  const read = createWaitCappedLoadReader(
    async () => [{ lane: "quick" as const, waiting: 1, oldestWaitMs }],
    () => time,
  );
  const age = async () => (await read())[0]!.oldestWaitMs;
  expect(await age()).toBe(2_000);
  [time, oldestWaitMs] = [1_000, 603_000];
  expect(await age()).toBe(3_000);
  [time, oldestWaitMs] = [61_000, 663_000];
  expect(await age()).toBe(63_000);
  oldestWaitMs = null;
  expect(await age()).toBeNull();
  [time, oldestWaitMs] = [62_000, 600_000];
  expect(await age()).toBe(1_000);
});
