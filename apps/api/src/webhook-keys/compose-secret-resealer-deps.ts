import { createSealedSecretStore, type Database } from "@reports/db";
import { createSealer, keyFingerprintOf, type Logger } from "@reports/runtime";
import type { ApiConfig } from "../config.ts";
import type { SecretResealerDeps } from "./reseal-secrets.ts";

export function composeSecretResealerDeps(
  { webhookKeys }: Pick<ApiConfig, "webhookKeys">,
  { database, logger }: { readonly database: Database; readonly logger: Logger },
): SecretResealerDeps | null {
  if (webhookKeys === undefined) return null;
  const [first, ...others] = webhookKeys.reveal();
  return {
    secrets: createSealedSecretStore(database),
    sealer: createSealer([first, ...others]),
    keys: [keyFingerprintOf(first), ...others.map(keyFingerprintOf)],
    logger,
  };
}
