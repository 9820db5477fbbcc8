import type { WebhookKeyFingerprints } from "../report/run/worker-registry.ts";
import type { SealedSecret } from "./webhook-values.ts";

/** Reads and replaces the sealed secrets of webhooks, so that the sealing key can be changed. All methods reject with StoreUnavailableError. */
export interface SealedSecrets {
  /** Returns the distinct key sets of the running workers; null for a worker whose version does not report its keys. */
  readKeys(): Promise<readonly (WebhookKeyFingerprints | null)[]>;
  /** Lists webhooks with a secret that still signs and is sealed with one of `keys`, in the order of their IDs, starting after `afterId`. */
  listUnder(
    keys: WebhookKeyFingerprints,
    page: { readonly afterId: string | null; readonly limit: number },
  ): Promise<readonly { readonly id: string; readonly secrets: readonly SealedSecret[] }[]>;
  /** Replaces sealed secrets by their new seals. A secret that was rotated meanwhile stays. */
  replace(id: string, replacements: ReadonlyMap<SealedSecret, SealedSecret>): Promise<void>;
  /** Counts the webhooks with a secret that still signs and is sealed with another key. */
  countNotUnder(key: string): Promise<number>;
}
