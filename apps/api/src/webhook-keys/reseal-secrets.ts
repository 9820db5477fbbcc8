import type { SealedSecret, SealedSecretStore } from "@reports/core/webhook";
import type { Logger, Sealer } from "@reports/runtime";

const pageSize = 100;

export interface SecretResealerDeps {
  readonly secrets: SealedSecretStore;
  readonly sealer: Sealer;
  /** Fingerprints of this instance's keys. The first key encrypts. */
  readonly keys: readonly [string, ...string[]];
  readonly logger: Logger;
}

/**
 * Returns a function that encrypts all webhook secrets with the first key of WEBHOOK_KEY again, so that an operator can remove the other keys. It
 * resolves with the number of changed webhooks. It does nothing until all running workers have the same first key. Otherwise, an instance with
 * another first key would encrypt the secrets with its key in turn. It logs a damaged secret once and leaves it unchanged.
 */
export function createSecretResealer({ secrets, sealer, keys: [first, ...others], logger }: SecretResealerDeps) {
  let damaged: ReadonlySet<SealedSecret> = new Set();

  return async (): Promise<number> => {
    const workers = others.length === 0 ? [] : await secrets.readKeys();
    if (workers.length === 0 || workers.some((keys) => keys === null || (keys.length > 0 && keys[0] !== first)))
      return 0;
    const stillDamaged = new Set<SealedSecret>();
    let count = 0;
    for (let afterId: string | null = null; ;) {
      const page = await secrets.listUnder(others, { afterId, limit: pageSize });
      for (const { id: webhookId, secrets: stored } of page) {
        const { replacements, unopened } = resealSecrets(sealer, others, webhookId, stored);
        if (unopened.some((text) => !damaged.has(text)))
          logger.warn("a secret of a webhook is damaged; its owner has to rotate it", { webhookId });
        for (const text of unopened) stillDamaged.add(text);
        if (replacements.size === 0) continue;
        await secrets.replace(webhookId, replacements);
        count += 1;
      }
      afterId = page.at(-1)?.id ?? null;
      if (page.length < pageSize) break;
    }
    damaged = stillDamaged;
    if (count > 0)
      logger.info("secrets of webhooks were sealed under the first key of WEBHOOK_KEY", { webhooks: count });
    return count;
  };
}

function resealSecrets(sealer: Sealer, keys: readonly string[], id: string, stored: readonly SealedSecret[]) {
  const replacements = new Map<SealedSecret, SealedSecret>();
  const unopened: SealedSecret[] = [];
  for (const text of stored.filter((each) => keys.some((key) => each.startsWith(`${key}.`)))) {
    const secret = sealer.open(text, id);
    if (secret === null) unopened.push(text);
    else replacements.set(text, sealer.seal(secret, id));
  }
  return { replacements, unopened };
}
