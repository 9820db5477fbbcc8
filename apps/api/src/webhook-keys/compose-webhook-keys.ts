import { createSealedSecretStore, type Database } from "@reports/db";
import { createSealer, keyFingerprintOf, type Logger } from "@reports/runtime";
import type { ApiConfig } from "../config.ts";
import type { ResealDeps } from "./reseal-secrets.ts";

export function composeWebhookKeys(
  { webhookKeys }: Pick<ApiConfig, "webhookKeys">,
  { database, logger }: { readonly database: Database; readonly logger: Logger },
): ResealDeps | null {
  if (webhookKeys === undefined) return null;
  const [first, ...others] = webhookKeys.reveal();
  return {
    secrets: createSealedSecretStore(database),
    sealer: createSealer([first, ...others]),
    keys: [keyFingerprintOf(first), ...others.map(keyFingerprintOf)],
    logger,
  };
}
