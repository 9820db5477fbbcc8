import { createSemaphore, createFairSemaphorePolicy } from "@reports/core/base";
import type { Authenticate, AuthenticationContext } from "./authenticate.ts";
import { tooManyPasswordChecksError } from "./too-many-checks.ts";
import type { Principal } from "./principal.ts";
import { createCredentialCache } from "./credential-cache.ts";

export type RecheckCredentials = (
  authorization: string | undefined,
  context: Omit<AuthenticationContext, "onLogin">,
) => Promise<Principal>;

/**
 * Creates the repeated check of credentials during long responses, such as event streams. All requests with the same credentials and address
 * share a result, even a rejection, for `cacheMs`. Four checks run at a time, so that a thousand streams cause little load. Rejects like
 * `authenticate`, and with DomainError("unavailable") if too many checks wait.
 */
export function createCredentialRecheck(
  authenticate: Authenticate,
  options: { readonly cacheMs?: number; readonly now?: () => number } = {},
): RecheckCredentials {
  const { cacheMs = 3_000, now = () => performance.now() } = options;
  const remembered = createCredentialCache<Promise<Principal>>({ cacheMs, now });
  const reviews = createSemaphore({
    ...createFairSemaphorePolicy(4),
    maxWaiting: 1_000,
    refuse: tooManyPasswordChecksError,
  });
  return async (authorization, context) => {
    const key = remembered.keyOf(authorization ?? "", context.address, String(context.basicOnly));
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const result = reviews.run(context.address, async () =>
      authenticate(authorization, { ...context, onLogin: () => undefined }),
    );
    remembered.add(key, result);
    return result;
  };
}
