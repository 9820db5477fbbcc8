import { DomainError } from "@reports/core/base";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import { fetchIssuerJson } from "./fetch-issuer-json.ts";

export type FetchFunction = typeof fetch;

/** State of an issuer's keys. `stale`: the last fetch failed, and older keys are used. `unavailable`: no keys were ever fetched. */
export const keySetStates = ["ok", "stale", "unavailable"] as const;
export type KeySetState = (typeof keySetStates)[number];

/** The signing keys of an OIDC issuer (RFC 7517), fetched only from the configured address. */
export interface IssuerKeys {
  readonly find: JWTVerifyGetKey;
  /**
   * Fetches the keys again, at most once per cooldown, after no known key has verified a token. An issuer can publish a new key under the same
   * `kid`. Rejects with DomainError("unavailable") if the fetch failed, because a new key may be missing then.
   */
  renew(): Promise<void>;
  /** Returns how many times the keys were fetched. The verifier checks a token with a wrong signature again only after this number has changed. */
  fetchCount(): number;
  /** Fetches the keys before the first token is verified. Never rejects: a failure is only visible in `state()`. */
  load(): Promise<void>;
  state(): KeySetState;
}

const keySetRequest = { what: "The key set", accept: "application/jwk-set+json, application/json" };
const refreshAfterMs = 10 * 60_000;
/**
 * Minimum milliseconds between two fetches that unknown `kid`s, failed signatures or failed refreshes cause. It limits the fetches that forged
 * tokens cause.
 */
const cooldownMs = 30_000;
/** Minimum milliseconds between two fetches while there are no keys. It is short, because nobody can log in without keys. */
const initialCooldownMs = 1_000;

/**
 * Creates the key set of an issuer. The first use after ten minutes fetches the keys again in the background. While the issuer is unavailable, the
 * old keys stay. `onFailure` gets each error of a fetch.
 */
export function createIssuerKeys(
  url: URL,
  options: {
    readonly onFailure: (error: unknown) => void;
    readonly fetch?: FetchFunction;
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
      known = createLocalJWKSet(keySet as JSONWebKeySet);
      failed = false;
      fetchCount += 1;
      mayFetchAt = now() + cooldownMs;
      refreshAt = now() + refreshAfterMs;
    } catch (error) {
      failed = true;
      mayFetchAt = now() + (known === undefined ? initialCooldownMs : cooldownMs);
      refreshAt = mayFetchAt;
      options.onFailure(error);
    }
    return !failed;
  }

  async function refresh(): Promise<boolean> {
    fetching ??= fetchOnce().finally(() => (fetching = undefined));
    return fetching;
  }

  async function find(...token: Parameters<JWTVerifyGetKey>) {
    if (known === undefined) {
      if (now() < mayFetchAt || !(await refresh())) throw keysUnavailableError();
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
    // After a failed fetch, a new key may be unknown here, so the token may be valid. The caller gets 503 and not 401.
    if (failed) throw keysUnavailableError();
  }

  return {
    find,
    renew,
    fetchCount: () => fetchCount,
    load: async () => void (await refresh()),
    state: () => (known === undefined ? "unavailable" : failed ? "stale" : "ok"),
  };
}

function keysUnavailableError(): DomainError {
  const message = "The token issuer's keys are unavailable at the moment, so the bearer token cannot be verified.";
  return new DomainError("unavailable", "issuer-unavailable", message, { retryAfterSeconds: 5 });
}
