import { DomainError } from "@reports/core/base";
import { createLocalJWKSet, errors } from "jose";
import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { fetchIssuerJson } from "./fetch-issuer-json.ts";

/** Fetches a key set; the global fetch unless a test gives another one. */
export type FetchKeySet = typeof fetch;

/** What is known of an issuer's keys: fetched and current, kept while the issuer does not answer, or none at all. */
export const keySetStates = ["ok", "stale", "unavailable"] as const;
export type KeySetState = (typeof keySetStates)[number];

/** The signing keys of an OIDC issuer (RFC 7517), only ever from the configured address. */
export interface IssuerKeys {
  /**
   * Finds the key of a token's header. Rejects with DomainError("unavailable") when that cannot be told because the issuer does not
   * give its keys, and with jose's errors when the issuer has no such key, or several.
   */
  readonly find: JWTVerifyGetKey;
  /**
   * Fetches the keys again unless the cooldown of the last fetch is still running, for a token whose signature fits none of them: an
   * issuer can publish a new key under the same `kid`. Rejects with DomainError("unavailable") when the known keys may be old.
   */
  renew(): Promise<void>;
  /** How often keys were fetched. A signature is checked again only if this has changed. */
  fetchCount(): number;
  /** Fetches the keys ahead of the first token. Resolves whether it succeeds or not; `state` tells. */
  load(): Promise<void>;
  state(): KeySetState;
}

const keySetRequest = { what: "The key set", accept: "application/jwk-set+json, application/json" };
const refreshAfterMs = 10 * 60_000;
/** An unknown `kid` and a signature that fails cause a fetch at most this often, and so does a refresh that failed. */
const retryAfterMs = 30_000;
/** The same while there are no keys at all: nobody can come in until there are. */
const firstRetryAfterMs = 1_000;

/**
 * Makes the keys of an issuer. Known keys are kept for as long as the issuer is away: every ten minutes a refresh runs beside the
 * requests, and one that fails changes nothing.
 * @param options.onFailure is told why a fetch failed, once for each that did.
 */
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
      // It checks the form and throws where it is none.
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

  /** Whether the keys are fresh now; everybody who asks meanwhile waits for the same fetch. */
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
    // The keys may be old, so the token is not known to be wrong.
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
