import { DomainError } from "@reports/core/base";
import { isWebhookKeyHeldBy } from "@reports/core/report";
import type { SealedSecret, SealedSecretStore } from "@reports/core/webhook";
import type { Sealer } from "@reports/runtime";

/** Encrypts the secret of a webhook. Rejects with DomainError if no running worker could decrypt it. */
export type SealSecret = (secret: string, webhookId: string) => Promise<SealedSecret>;

export function createSecretSealer(deps: {
  readonly sealer: Pick<Sealer, "seal">;
  readonly key: string;
  readonly readKeys: SealedSecretStore["readKeys"];
}): SealSecret {
  return async (secret, webhookId) => {
    if (!(await canWorkersDecrypt(deps.readKeys, deps.key))) {
      const message =
        "No running worker has the key under which this instance stores secrets of webhooks, so nothing could be sent. Nothing was changed. The service's operators have to fix this.";
      throw new DomainError("unavailable", "webhook-key-not-held", message, { retryAfterSeconds: 30 });
    }
    return deps.sealer.seal(secret, webhookId);
  };
}

/** Reports whether a running worker has the key. Also true while no worker runs. */
export async function canWorkersDecrypt(readKeys: SealedSecretStore["readKeys"], key: string): Promise<boolean> {
  const workers = await readKeys();
  return workers.length === 0 || isWebhookKeyHeldBy(workers, key);
}
