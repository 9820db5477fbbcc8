import { DomainError } from "@reports/core/base";
import { createLocalJWKSet, errors } from "jose";
import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { fetchIssuerJson } from "./fetch-issuer-json.ts";

/** Default: the global fetch. */
export type FetchKeySet = typeof fetch;

/** An issuer's keys: current, cached while the issuer does not respond, or missing. */
export const keySetStates = ["ok", "stale", "unavailable"] as const;
export type KeySetState = (typeof keySetStates)[number];

/** The signing keys of an OIDC issuer (RFC 7517), only from the configured address. */
export interface IssuerKeys {
  /** Rejects with DomainError("unavailable") if the issuer does not respond, and jose's errors for no key, or several. */
  readonly find: JWTVerifyGetKey;
  /**
   * Fetches the keys again, outside the cooldown, for a token that fits none of them: an issuer can publish a new key under the same
   * `kid`. Rejects with DomainError("unavailable") if the known keys may be old.
   */
  renew(): Promise<void>;
  /** How often keys were fetched. A signature is checked again only if this has changed. */
  fetchCount(): number;
  /** Fetches the keys before the first token. Always resolves; `state` has the result. */
  load(): Promise<void>;
  state(): KeySetState;
}

const keySetRequest = { what: "The key set", accept: "application/jwk-set+json, application/json" };
const refreshAfterMs = 10 * 60_000;
/** At most one fetch in this time for unknown `kid`s, failed signatures and failed refreshes. */
const retryAfterMs = 30_000;
/** The same while there are no keys: nobody can log in. */
const firstRetryAfterMs = 1_000;

/** Keeps known keys while the issuer is unavailable. Refreshes them every ten minutes. `onFailure` gets the reasons. */
export function createIssuerKeys(
  url: URL,
  options: {
    readonly onFailure: (error: unknown) => void;
    readonly fetch?: FetchKeySet;
    readonly now?: () => number;
  },
): IssuerKeys {
  const now = options.now ?? (() => performance.now());
  let known: JWTVerifyGetKey | undefined;
  let failed = false;
  let mayFetchAt = 0;
  let refreshAt = 0;
  let fetching: Promise<boolean> | undefined;
  let fetchCount = 0;

  async function fetchOnce(): Promise<boolean> {
    try {
      const keySet = await fetchIssuerJson(url, { ...keySetRequest, fetch: options.fetch ?? fetch });
      // It throws for a wrong form.
      known = createLocalJWKSet(keySet as JSONWebKeySet);
      failed = false;
      fetchCount += 1;
      mayFetchAt = now() + retryAfterMs;
      refreshAt = now() + refreshAfterMs;
    } catch (error) {
      failed = true;
      mayFetchAt = now() + (known === undefined ? firstRetryAfterMs : retryAfterMs);
      refreshAt = mayFetchAt;
      options.onFailure(error);
    }
    return !failed;
  }

  /** Returns whether the keys are fresh; concurrent callers share a fetch. */
  async function refresh(): Promise<boolean> {
    fetching ??= fetchOnce().finally(() => (fetching = undefined));
    return fetching;
  }

  async function find(...token: Parameters<JWTVerifyGetKey>) {
    if (known === undefined) {
      if (now() < mayFetchAt || !(await refresh())) throw unavailable();
    } else if (now() >= refreshAt) void refresh();
    try {
      return await known!(...token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await renew();
      return known!(...token);
    }
  }

  async function renew(): Promise<void> {
    if (now() >= mayFetchAt) await refresh();
    // The keys may be old, so the token may be right.
    if (failed) throw unavailable();
  }

  return {
    find,
    renew,
    fetchCount: () => fetchCount,
    load: async () => void (await refresh()),
    state: () => (known === undefined ? "unavailable" : failed ? "stale" : "ok"),
  };
}

function unavailable(): DomainError {
  const message = "The token issuer's keys are unavailable at the moment, so the bearer token cannot be verified.";
  return new DomainError("unavailable", "issuer-unavailable", message, { retryAfterSeconds: 5 });
}
