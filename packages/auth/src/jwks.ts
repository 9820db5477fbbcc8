import { createRemoteJWKSet, customFetch } from "jose";
import type { FetchImplementation, JWTVerifyGetKey } from "jose";

const refreshAfterMs = 10 * 60_000;
const retryAfterMs = 30_000;

/**
 * The signing keys of an OIDC issuer, only ever from the configured address. An unknown `kid` fetches again at most every 30 s.
 * Known keys are kept for as long as the issuer is away: every ten minutes a refresh runs beside the requests, and one that
 * fails changes nothing.
 */
export function createIssuerKeys(
  url: URL,
  options: { readonly fetch?: FetchImplementation; readonly now?: () => number } = {},
): JWTVerifyGetKey {
  const now = options.now ?? Date.now;
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: Infinity,
    cooldownDuration: retryAfterMs,
    timeoutDuration: 5_000,
    ...(options.fetch === undefined ? {} : { [customFetch]: options.fetch }),
  });
  let refreshAt = now() + refreshAfterMs;
  // jose only cools down after a fetch that succeeded; unknown kids must not hammer an issuer that is away either.
  let failedUntil = 0;

  function refreshInBackground(): void {
    if (keys.jwks() === undefined || now() < refreshAt) return;
    refreshAt = now() + retryAfterMs;
    keys.reload().then(
      () => {
        refreshAt = now() + refreshAfterMs;
      },
      () => undefined,
    );
  }

  return async (header, token) => {
    refreshInBackground();
    if (now() < failedUntil && keys.jwks() === undefined)
      throw new Error("The issuer's keys cannot be fetched at the moment.");
    try {
      return await keys(header, token);
    } catch (error) {
      if (keys.jwks() === undefined) failedUntil = now() + 1_000;
      throw error;
    }
  };
}
