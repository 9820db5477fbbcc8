import { removeStaleWindows, type Database } from "@reports/db";
import type { ReportCatalogue } from "@reports/core/report";
import type { Lifecycle, Logger, Metrics } from "@reports/runtime";
import type { StoreIdentity } from "@reports/core/base";
import { createChore } from "./chore.ts";
import type { ApiClocks } from "./clocks.ts";
import { composeScheduleCheck } from "./compose-schedule-check.ts";
import type { ApiConfig } from "./config.ts";
import { createStoreWatch } from "./store-watch.ts";
import { composeWebhookKeys } from "./webhook-keys/compose-webhook-keys.ts";
import { createResealing } from "./webhook-keys/reseal-secrets.ts";

/** Adds the periodic work of an API instance to the lifecycle: the check of the file store, and all chores. */
export function composeChores(
  config: ApiConfig,
  parts: {
    readonly database: Database;
    readonly identity: Pick<StoreIdentity, "assert">;
    readonly clocks: ApiClocks;
    readonly catalogue: ReportCatalogue;
    readonly metrics: Metrics;
    readonly logger: Logger;
  },
  lifecycle: Pick<Lifecycle, "add">,
): void {
  const { database, clocks, logger } = parts;
  const addChore = (
    name: string,
    work: () => Promise<unknown>,
    onFailure: (error: unknown) => void,
    everyMs = clocks.choresMs,
  ): void => {
    const chore = createChore(work, onFailure, everyMs);
    lifecycle.add({ name, start: async () => chore.start(), stop: async () => chore.stop() });
  };
  const storeWatch = createStoreWatch(parts.identity, clocks.storeMs);
  lifecycle.add({ name: "store", start: async () => storeWatch.start(), stop: () => storeWatch.stop() });
  // This chore removes the counts of past minutes only to save space. The limits ignore old counts, so a failure has no other effect.
  addChore(
    "limits",
    async () => removeStaleWindows(database),
    (error) => logger.warn("stale rate windows were not removed", { error }),
  );
  addChore(
    "schedules",
    composeScheduleCheck(parts),
    (error) => logger.warn("schedules were not compared with their report types, retrying", { error }),
    clocks.scheduleCheckMs,
  );
  const keys = composeWebhookKeys(config, parts);
  if (keys !== null)
    addChore("webhook keys", createResealing(keys), (error) =>
      logger.warn("secrets of webhooks were not sealed under the first key, retrying", { error }),
    );
}
