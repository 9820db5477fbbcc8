import type { WebhookKeys } from "../report/run/worker-registry.ts";
import type { SealedSecret } from "./webhook-values.ts";

/** The sealed secrets of webhooks, whose key can be replaced. All methods reject with StoreUnavailableError. */
export interface SealedSecrets {
  /** The keys of each running worker, without repeats; null for one that is too old to say them. */
  readKeys(): Promise<readonly (WebhookKeys | null)[]>;
  /** Webhooks with a secret that still signs and that one of these keys has sealed, by id and after that one. */
  listUnder(
    keys: WebhookKeys,
    page: { readonly afterId: string | null; readonly limit: number },
  ): Promise<readonly { readonly id: string; readonly secrets: readonly SealedSecret[] }[]>;
  /** Replaces sealed texts of a webhook. A secret that was rotated meanwhile stays as it is. */
  replace(id: string, replacements: ReadonlyMap<SealedSecret, SealedSecret>): Promise<void>;
  /** Counts the webhooks with a secret that still signs and that another key has sealed. */
  countNotUnder(key: string): Promise<number>;
}
