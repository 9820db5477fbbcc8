import { createLogger, createMetrics } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { createMaintenanceMetrics } from "./maintenance-metrics.ts";
import { createPeriodicWork } from "./periodic-work.ts";

test("metrics record a worker's own successful and failed maintenance rounds only", async () => {
  const metrics = createMetrics();
  const unavailable = async (): Promise<never> => Promise.reject(new Error("not asked"));
  const { observeRound } = createMaintenanceMetrics(
    metrics,
    { finished: () => undefined },
    {
      heartbeatAgeMs: () => null,
      lanes: unavailable,
      oldestSnapshotMs: unavailable,
      storeState: () => "ok",
      reconciler: unavailable,
    },
  );
  let rounds = 0;
  const start = (name: "rescue" | "drain" | "retention", work: () => Promise<unknown>) => {
    const options = { name, everyMs: 1, jitterMs: 0, logger: createLogger({ name: "test", level: "silent" }) };
    const timer = createPeriodicWork({ ...options, work, onRound: (end) => observeRound(name, end) });
    timer.start();
    return timer;
  };
  const timers = [
    start("rescue", async () => (rounds += 1)),
    start("drain", async () => Promise.reject(new Error("away"))),
    start("retention", async () => false),
  ];
  const seriesOf = async (end: string, work: string): Promise<number> => {
    const { body } = await metrics.render();
    return Number(
      new RegExp(`^reports_maintenance_last_${end}_timestamp_seconds\\{work="${work}"\\} (.*)$`, "m").exec(body)![1],
    );
  };
  await waitFor(async () => (await seriesOf("failure", "drain")) > 0 && rounds > 20, { what: "rounds of all works" });
  await Promise.all(timers.map((timer) => timer.stop()));
  expect(await seriesOf("success", "rescue")).toBeGreaterThan(0);
  expect(await seriesOf("failure", "rescue")).toBe(0);
  expect(await seriesOf("success", "drain")).toBe(0);
  expect(await seriesOf("success", "retention")).toBe(0);
  expect(await seriesOf("failure", "retention")).toBe(0);
});
