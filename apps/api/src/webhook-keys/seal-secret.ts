import { DomainError } from "@reports/core/base";
import { isKeyHeldBy } from "@reports/core/report";
import type { SealedSecret, SealedSecrets } from "@reports/core/webhook";
import type { Sealer } from "@reports/runtime";

/** Rejects with DomainError if no running worker could open the secret. */
export type SealSecret = (secret: string, webhookId: string) => Promise<SealedSecret>;

/** Seals under this instance's first key. While no worker runs, it seals: starting workers can have the key. */
export function createSecretSealing(deps: {
  readonly sealer: Pick<Sealer, "seal">;
  readonly key: string;
  readonly readKeys: SealedSecrets["readKeys"];
}): SealSecret {
  return async (secret, webhookId) => {
    if (!(await isUsable(deps.readKeys, deps.key))) {
      const message =
        "No running worker has the key under which this instance stores secrets of webhooks, so nothing could be sent. Nothing was changed. The service's operators have to fix this.";
      throw new DomainError("unavailable", "webhook-key-not-held", message, { retryAfterSeconds: 30 });
    }
    return deps.sealer.seal(secret, webhookId);
  };
}

/** Whether a running worker can open what the key seals, or no worker runs. */
export async function isUsable(readKeys: SealedSecrets["readKeys"], key: string): Promise<boolean> {
  const workers = await readKeys();
  return workers.length === 0 || isKeyHeldBy(workers, key);
}
