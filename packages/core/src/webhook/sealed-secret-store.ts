import type { WebhookKeyFingerprints } from "../report/run/worker-registry.ts";
import type { SealedSecret } from "./webhook-values.ts";

/** Reads and replaces the sealed secrets of webhooks, so that operators can change the sealing key. All methods reject with StoreUnavailableError. */
export interface SealedSecretStore {
  /** Returns the distinct key sets of the running workers. A worker whose version does not report its keys counts as null. */
  readKeys(): Promise<readonly (WebhookKeyFingerprints | null)[]>;
  /** Lists webhooks that have a valid secret sealed with one of `keys`, in the order of their IDs, starting after `afterId`. */
  listUnder(
    keys: WebhookKeyFingerprints,
    page: { readonly afterId: string | null; readonly limit: number },
  ): Promise<readonly { readonly id: string; readonly secrets: readonly SealedSecret[] }[]>;
  replace(id: string, replacements: ReadonlyMap<SealedSecret, SealedSecret>): Promise<void>;
  countNotUnder(key: string): Promise<number>;
}
