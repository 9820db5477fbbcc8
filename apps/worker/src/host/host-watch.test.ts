import { setImmediate } from "node:timers/promises";
import { HostFailureError, StoreUnavailableError } from "@reports/core/base";
import { createLogger } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { createFasterTimings } from "../clocks.ts";
import { createHostWatch } from "./host-watch.ts";

const logger = createLogger({ name: "worker", level: "silent" });
const sound = { isBroken: false };
const { signal } = new AbortController();

async function openWatch() {
  const state = { spool: { ...sound }, renderers: { ...sound }, proofs: 0, hanging: null as Promise<void> | null };
  const prove = async (part: { readonly isBroken: boolean }) => {
    state.proofs++;
    await state.hanging;
    if (part.isBroken) throw new Error("broken");
  };
  const watch = createHostWatch({
    parts: {
      spool: { restsAfter: 1, prove: async () => prove(state.spool), glance: async () => prove(state.spool) },
      renderers: { restsAfter: 3, prove: async () => prove(state.renderers) },
      store: { restsAfter: 3, prove: async () => undefined },
    },
    spoolBytes: () => 1,
    clocks: createFasterTimings(5).host,
    logger,
  });
  await watch.start(signal);
  onTestFinished(() => watch.stop());
  const fail = async (error: Error): Promise<void> => {
    const failing = watch.run(["renderers"], async () => {
      throw error;
    });
    await expect(failing).rejects.toBe(error);
  };
  return { watch, state, fail };
}
const notStarted = () => new HostFailureError("renderers", "no memory");

test("after three failures of its spool or store, a worker rests until a test succeeds", async () => {
  const { watch, state, fail } = await openWatch();
  state.renderers.isBroken = true;
  await fail(notStarted());
  await fail(notStarted());
  expect(watch.mayAcquire()).toBe(true);
  await fail(notStarted());
  expect(watch.mayAcquire()).toBe(false);
  expect(watch.refusal()).toContain("renderers");
  await expect(watch.checkOf("renderers")(signal)).rejects.toThrow("no memory");
  await watch.checkOf("spool")(signal);
  await waitFor(() => state.proofs > 2, { what: "the part to be proved" });
  expect(watch.mayAcquire()).toBe(false);
  state.renderers.isBroken = false;
  await waitFor(() => watch.mayAcquire(), { what: "the worker to take reports again" });
  expect(watch.refusal()).toBeNull();
  await watch.checkOf("renderers")(signal);
});

test("a successful attempt between host failures resets their count", async () => {
  const { watch, fail } = await openWatch();
  for (let count = 0; count < 10; count++) {
    await fail(notStarted());
    await fail(notStarted());
    await watch.run(["renderers"], async () => "made");
  }
  expect(watch.mayAcquire()).toBe(true);
});

test("failures of reports never make a worker stop taking reports", async () => {
  const { watch, fail } = await openWatch();
  for (let count = 0; count < 10; count++) {
    for (const error of [new Error("a bug"), new StoreUnavailableError("a source is down")]) await fail(error);
  }
  expect(watch.mayAcquire()).toBe(true);
});

test("claims share a quick check of the host only if it begins after all of them", async () => {
  const { watch, state } = await openWatch();
  await watch.stop();
  const held = Promise.withResolvers<void>();
  state.hanging = held.promise;
  const before = state.proofs;
  const first = watch.check(signal);
  await waitFor(() => state.proofs === before + 1, { what: "the first check to begin" });
  const others = [watch.check(signal), watch.check(signal), watch.check(signal)];
  state.spool.isBroken = true;
  held.resolve();
  await Promise.all([first, ...others]);
  expect(state.proofs).toBe(before + 2);
  expect(watch.mayAcquire()).toBe(false);
});

test("a broken spool is noticed at the next claim, and also without claims", async () => {
  const claimed = await openWatch();
  claimed.state.spool.isBroken = true;
  await claimed.watch.check(signal);
  expect(claimed.watch.mayAcquire()).toBe(false);
  const idle = await openWatch();
  idle.state.spool.isBroken = true;
  await waitFor(() => !idle.watch.mayAcquire(), { what: "the idle worker to rest" });
});

test("while a check of the disk hangs, no other check of the disk starts", async () => {
  const { watch, state } = await openWatch();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.hanging = promise;
  const before = state.proofs;
  const checks = Array.from({ length: 5 }, async () => watch.check(signal));
  await waitFor(() => state.proofs > before, { what: "the first probe" });
  // A second check would begin within a few turns of the event loop, so twenty turns show that none does.
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  expect(state.proofs).toBe(before + 1);
  state.hanging = null;
  resolve();
  await Promise.all(checks);
  expect(watch.mayAcquire()).toBe(true);
});

test("a slow test of the spool neither delays a claim nor stops the worker's claims", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const state = { proofs: 0 };
  const prove = async () => {
    state.proofs++;
    await promise;
  };
  const idle = { restsAfter: 3, prove: async () => undefined };
  const watch = createHostWatch({
    parts: { spool: { restsAfter: 1, prove, glance: async () => undefined }, renderers: idle, store: idle },
    spoolBytes: () => 1,
    clocks: createFasterTimings(5).host,
    logger,
  });
  await watch.start(signal);
  onTestFinished(async () => {
    resolve();
    await watch.stop();
  });
  const realNow = performance.now.bind(performance);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => realNow() + 60_000);
  onTestFinished(() => clock.mockRestore());
  await waitFor(() => state.proofs === 1, { what: "the proof" });
  await watch.check(signal);
  expect(watch.mayAcquire()).toBe(true);
});
