import type { WebhookKeys } from "../report/run/worker-registry.ts";
import type { SealedSecret } from "./webhook-values.ts";

/** Sealed secrets of webhooks, whose key can be replaced. All methods reject with StoreUnavailableError. */
export interface SealedSecrets {
  /** The distinct keys of running workers; null for one that is too old to report them. */
  readKeys(): Promise<readonly (WebhookKeys | null)[]>;
  /** Webhooks with a secret that still signs and is sealed by one of these keys, by ID, after that one. */
  listUnder(
    keys: WebhookKeys,
    page: { readonly afterId: string | null; readonly limit: number },
  ): Promise<readonly { readonly id: string; readonly secrets: readonly SealedSecret[] }[]>;
  /** Replaces sealed texts. A secret that was rotated meanwhile stays. */
  replace(id: string, replacements: ReadonlyMap<SealedSecret, SealedSecret>): Promise<void>;
  /** Counts the webhooks with a secret that still signs and is sealed by another key. */
  countNotUnder(key: string): Promise<number>;
}
