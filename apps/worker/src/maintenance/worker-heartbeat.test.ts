import { createLogger } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { createWorkerHeartbeat, type WorkerHeartbeatOptions } from "./worker-heartbeat.ts";

function createHeartbeat(joined: Promise<void>, changes: Partial<WorkerHeartbeatOptions> = {}) {
  return createWorkerHeartbeat({
    registry: {
      // A statement that waits for a lock.
      heartbeat: async () => new Promise<undefined>(() => undefined),
      join: async () => joined.then(() => []),
      announceStop: async () => undefined,
      remove: async () => undefined,
      removeDead: async () => 0,
      state: async () => Promise.reject(new Error("not asked")),
    },
    identity: { workerId: "w", host: "h", pid: 1, version: "1", lanes: ["quick"], webhookKeys: [] },
    spoolBytes: () => 1,
    servedTypes: () => ({}),
    poolIds: () => [],
    clocks: { heartbeatMs: 60_000, graceMs: 60_000, deadAfterMs: 60_000 },
    onLost: () => undefined,
    logger: createLogger({ name: "test", level: "silent" }),
    ...changes,
  });
}

test("the heartbeat's age is null before the first heartbeat has reached Postgres", async () => {
  const first = Promise.withResolvers<void>();
  const heartbeat = createHeartbeat(first.promise);
  const started = heartbeat.start(new AbortController().signal);
  expect(heartbeat.ageMs()).toBeNull();
  first.resolve();
  await started;
  expect(heartbeat.ageMs()).toBeGreaterThanOrEqual(0);
  await heartbeat.stop();
});

test("a heartbeat that can't be recorded during its grace is reported as lost", async () => {
  const lost: Error[] = [];
  const heartbeat = createHeartbeat(Promise.resolve(), {
    clocks: { heartbeatMs: 5, graceMs: 20, deadAfterMs: 60_000 },
    onLost: (error) => lost.push(error),
  });
  await heartbeat.start(new AbortController().signal);
  await waitFor(() => lost.length > 0, { what: "the loss of the heartbeat" });
  await heartbeat.stop();
  expect(lost).toMatchObject([{ name: "StoreUnavailableError" }]);
});
