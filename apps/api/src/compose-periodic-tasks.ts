import { removeStaleRateWindows, type Database } from "@reports/db";
import type { ReportCatalogue } from "@reports/core/report";
import type { Lifecycle, Logger, Metrics } from "@reports/runtime";
import type { StoreIdentity } from "@reports/core/base";
import { createPeriodicTask } from "./periodic-task.ts";
import type { ApiTimings } from "./clocks.ts";
import { composeUnfitScheduleCheck } from "./compose-unfit-schedule-check.ts";
import type { ApiConfig } from "./config.ts";
import { createStoreIdMonitor } from "./store-watch.ts";
import { composeSecretResealerDeps } from "./webhook-keys/compose-secret-resealer-deps.ts";
import { createSecretResealer } from "./webhook-keys/reseal-secrets.ts";

export function composePeriodicTasks(
  config: ApiConfig,
  parts: {
    readonly database: Database;
    readonly identity: Pick<StoreIdentity, "assert">;
    readonly clocks: ApiTimings;
    readonly catalogue: ReportCatalogue;
    readonly metrics: Metrics;
    readonly logger: Logger;
  },
  lifecycle: Pick<Lifecycle, "add">,
): void {
  const { database, clocks, logger } = parts;
  const addPeriodicTask = (
    name: string,
    work: () => Promise<unknown>,
    onFailure: (error: unknown) => void,
    everyMs = clocks.periodicTasksMs,
  ): void => {
    const task = createPeriodicTask(work, onFailure, everyMs);
    lifecycle.add({ name, start: async () => task.start(), stop: async () => task.stop() });
  };
  const storeWatch = createStoreIdMonitor(parts.identity, clocks.storeMs);
  lifecycle.add({ name: "store", start: async () => storeWatch.start(), stop: () => storeWatch.stop() });
  // This task removes the counts of past minutes only to save space. The limits ignore old counts, so a failure has no other effect.
  addPeriodicTask(
    "limits",
    async () => removeStaleRateWindows(database),
    (error) => logger.warn("stale rate windows were not removed", { error }),
  );
  addPeriodicTask(
    "schedules",
    composeUnfitScheduleCheck(parts),
    (error) => logger.warn("schedules were not compared with their report types, retrying", { error }),
    clocks.scheduleCheckMs,
  );
  const keys = composeSecretResealerDeps(config, parts);
  if (keys !== null)
    addPeriodicTask("webhook keys", createSecretResealer(keys), (error) =>
      logger.warn("secrets of webhooks were not sealed under the first key, retrying", { error }),
    );
}
