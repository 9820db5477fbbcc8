import { createLogger } from "@reports/runtime";
import { expect, test } from "vitest";
import { createWorkerHeartbeat } from "./worker-heartbeat.ts";

test("the heartbeat's age is null before the first heartbeat has reached Postgres", async () => {
  const first = Promise.withResolvers<void>();
  const heartbeat = createWorkerHeartbeat({
    registry: {
      heartbeat: async () => undefined,
      join: async () => first.promise.then(() => []),
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
  });
  const started = heartbeat.start(new AbortController().signal);
  expect(heartbeat.ageMs()).toBeNull();
  first.resolve();
  await started;
  expect(heartbeat.ageMs()).toBeGreaterThanOrEqual(0);
  await heartbeat.stop();
});
