import type { ReconcileRound } from "@reports/core/report";
import { expect, test } from "vitest";
import { createReconcileWork } from "./reconcile-work.ts";

const minute = 60_000;
const hour = 60 * minute;
const never = new AbortController().signal;

type CompleteRound = Extract<ReconcileRound, { kind: "all" }>;
const round = { kind: "all", refused: 0 } as CompleteRound;

function workers(count: number) {
  const takenAt = new Map<string, number>();
  let time = 0;
  const failing = new Set(Array.from({ length: count }, (_, index) => index));
  const rounds: (readonly [worker: number, minute: number])[] = [];
  const works = Array.from({ length: count }, (_, worker) => {
    const run = async () => {
      rounds.push([worker, time / minute]);
      if (failing.has(worker)) throw new Error("away");
      return round;
    };
    return createReconcileWork({
      mode: "on",
      everyMs: hour,
      leases: {
        take: async (name, everyMs) => {
          if (time - (takenAt.get(name) ?? -Infinity) < everyMs) return null;
          const at = time;
          takenAt.set(name, at);
          return { release: async () => void (takenAt.get(name) === at && takenAt.delete(name)) };
        },
      },
      reconciler: { run, plan: run },
      logger: { info: () => undefined, error: () => undefined },
      onRound: () => undefined,
      now: () => time,
    });
  });
  return {
    rounds,
    minutes: () => rounds.map(([, at]) => at),
    repair: (worker: number) => void failing.delete(worker),
    async pass(minutes: number, checking = [...works.keys()]): Promise<void> {
      for (const end = time + minutes * minute; time < end; time += minute)
        for (const worker of checking) await works[worker]!(never).catch(() => undefined);
    },
  };
}

test("failed reconciler rounds in a row release their lease after 1, 2, 4 … minutes", async () => {
  const { minutes, repair, pass } = workers(1);
  await pass(30);
  expect(minutes()).toEqual([0, 2, 5, 10, 19]);
  repair(0);
  await pass(100);
  expect(minutes().slice(5)).toEqual([36, 96]);
});

test("reconciler rounds that keep failing begin at least as often as successful ones", async () => {
  const { minutes, pass } = workers(1);
  await pass(6 * 60);
  expect(minutes().at(-1)! - minutes().at(-2)!).toBe(60);
});

test.each([
  { failing: 0, done: [1, 63, 127, 195] },
  { failing: 1, done: [2, 62, 122, 182] },
])("another worker soon repeats a reconciler round in which worker $failing failed", async (of) => {
  const { rounds, repair, pass } = workers(2);
  repair(1 - of.failing);
  await pass(1, [of.failing]);
  await pass(199);
  expect(rounds[0]).toEqual([of.failing, 0]);
  expect(rounds.filter(([worker]) => worker !== of.failing).map(([, at]) => at)).toEqual(of.done);
});

test("a reconciler round that fails after its lease ended releases no newer lease", async () => {
  let time = 0;
  let takenAt = -Infinity;
  const begun: string[] = [];
  const { promise: failing, reject: fail } = Promise.withResolvers<CompleteRound>();
  const { promise: going, resolve: end } = Promise.withResolvers<CompleteRound>();
  const workOf = (worker: string, outcome: Promise<CompleteRound>) => {
    const run = async () => (begun.push(worker), outcome);
    return createReconcileWork({
      mode: "on",
      everyMs: hour,
      leases: {
        async take(_, everyMs) {
          if (time - takenAt < everyMs) return null;
          takenAt = time;
          return { release: async () => void (takenAt = -Infinity) };
        },
      },
      reconciler: { run, plan: run },
      logger: { info: () => undefined, error: () => undefined },
      onRound: () => undefined,
      now: () => time,
    });
  };
  const [slow, other] = [workOf("slow", failing), workOf("other", going)];
  const slowRound = slow(never);
  time = hour;
  const otherRound = other(never);
  time += 5 * minute;
  fail(new Error("away"));
  await expect(slowRound).rejects.toThrow("away");
  for (let check = 0; check < 5; check += 1) {
    time += minute;
    expect(await slow(never)).toBe(false);
  }
  expect(begun).toEqual(["slow", "other"]);
  end(round);
  expect(await otherRound).toBe(true);
});
