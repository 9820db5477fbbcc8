import type { SealedSecret, SealedSecrets } from "@reports/core";
import type { Logger, Sealer } from "@reports/runtime";

const pageSize = 100;

/** Dependencies of sealing again. */
export interface ResealDeps {
  readonly secrets: SealedSecrets;
  readonly sealer: Sealer;
  /** Fingerprints of this instance's keys, the one that seals first. */
  readonly keys: readonly [string, ...string[]];
  readonly logger: Logger;
}

/**
 * Seals secrets that another key of this instance has sealed under the first key, so that the other key can be removed. Returns the number
 * of webhooks. Does nothing unless all running workers have the same first key: while a rotation is rolled out, instances with the old order
 * would undo it.
 */
export async function resealSecrets({
  secrets,
  sealer,
  keys: [first, ...others],
  logger,
}: ResealDeps): Promise<number> {
  const workers = others.length === 0 ? [] : await secrets.readKeys();
  if (workers.length === 0 || workers.some((keys) => keys === null || (keys.length > 0 && keys[0] !== first))) return 0;
  let count = 0;
  for (let afterId: string | null = null; ;) {
    const page = await secrets.listUnder(others, { afterId, limit: pageSize });
    for (const { id, secrets: sealed } of page) {
      await secrets.replace(id, resealed(sealer, first, id, sealed));
      count += 1;
    }
    afterId = page.at(-1)?.id ?? null;
    if (page.length < pageSize) break;
  }
  if (count > 0) logger.info("secrets of webhooks were sealed under the first key of WEBHOOK_KEY", { webhooks: count });
  return count;
}

function resealed(sealer: Sealer, first: string, id: string, sealed: readonly SealedSecret[]) {
  return new Map(
    sealed.flatMap((text) => {
      const secret = text.startsWith(`${first}.`) ? null : sealer.open(text, id);
      return secret === null ? [] : [[text, sealer.seal(secret, id)] as const];
    }),
  );
}
