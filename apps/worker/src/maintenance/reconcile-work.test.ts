import type { ReconcileOutcome } from "@reports/core";
import { expect, test } from "vitest";
import { createReconcileWork } from "./reconcile-work.ts";

const minute = 60_000;
const hour = 60 * minute;
const never = new AbortController().signal;

/** Workers that share their leases and a clock; a store that fails until it is mended. */
function workers(count: number) {
  const takenAt = new Map<string, number>();
  let time = 0;
  let isAway = true;
  const rounds: number[] = [];
  const run = async () => {
    rounds.push(time / minute);
    if (isAway) throw new Error("away");
    return { refused: 0 } as ReconcileOutcome;
  };
  const works = Array.from({ length: count }, () =>
    createReconcileWork({
      mode: "on",
      everyMs: hour,
      leases: {
        take: async (name, everyMs) => {
          const isFree = time - (takenAt.get(name) ?? -Infinity) >= everyMs;
          if (isFree) takenAt.set(name, time);
          return isFree;
        },
        release: async (name) => void takenAt.delete(name),
      },
      reconciler: { run, plan: run },
      logger: { info: () => undefined, error: () => undefined },
      onOutcome: () => undefined,
      now: () => time,
    }),
  );
  return {
    rounds,
    mend: () => void (isAway = false),
    /** Each worker looks once a minute. */
    async pass(minutes: number): Promise<void> {
      for (const end = time + minutes * minute; time < end; time += minute)
        for (const work of works) await work(never).catch(() => undefined);
    },
  };
}

test("a round that fails is begun again after a minute, then after two, four and so on; one that succeeds leaves an hour until the next", async () => {
  const { rounds, mend, pass } = workers(1);
  await pass(20);
  expect(rounds).toEqual([0, 1, 3, 7, 15]);
  mend();
  await pass(100);
  expect(rounds.slice(5)).toEqual([31, 91]);
});

test("a round that keeps failing is never begun more seldom than one that succeeds", async () => {
  const { rounds, pass } = workers(1);
  await pass(6 * 60);
  expect(rounds.at(-1)! - rounds.at(-2)!).toBe(60);
});

test("what one worker fails in, the others may do meanwhile, each at its turn", async () => {
  const { rounds, mend, pass } = workers(2);
  await pass(1);
  mend();
  await pass(10);
  expect(rounds).toEqual([0, 1]);
});
