import { removeStaleWindows, type Database } from "@reports/db";
import type { Lifecycle, Logger } from "@reports/runtime";
import type { StoreIdentity } from "@reports/core/base";
import { createChore } from "./chore.ts";
import type { ApiClocks } from "./clocks.ts";
import type { ApiConfig } from "./config.ts";
import { createStoreWatch } from "./store-watch.ts";
import { composeWebhookKeys } from "./webhook-keys/compose-webhook-keys.ts";
import { createResealing } from "./webhook-keys/reseal-secrets.ts";

/** Registers the periodic work of an API instance: the check of the file store, and the chores. */
export function composeChores(
  config: ApiConfig,
  parts: {
    readonly database: Database;
    readonly identity: Pick<StoreIdentity, "assert">;
    readonly clocks: ApiClocks;
    readonly logger: Logger;
  },
  lifecycle: Pick<Lifecycle, "add">,
): void {
  const { database, clocks, logger } = parts;
  const addChore = (name: string, work: () => Promise<unknown>, onFailure: (error: unknown) => void): void => {
    const chore = createChore(work, onFailure, clocks.choresMs);
    lifecycle.add({ name, start: async () => chore.start(), stop: async () => chore.stop() });
  };
  const storeWatch = createStoreWatch(parts.identity, clocks.storeMs);
  lifecycle.add({ name: "store", start: async () => storeWatch.start(), stop: () => storeWatch.stop() });
  // Removing stale rate-limit windows only saves space. The limits ignore them, so a failure has no other effect.
  addChore(
    "limits",
    async () => removeStaleWindows(database),
    (error) => logger.warn("stale rate windows were not removed", { error }),
  );
  const keys = composeWebhookKeys(config, parts);
  if (keys !== null)
    addChore("webhook keys", createResealing(keys), (error) =>
      logger.warn("secrets of webhooks were not sealed under the first key, retrying", { error }),
    );
}
