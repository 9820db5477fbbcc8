import { createSemaphore, fairPolicy } from "@reports/core/base";
import type { Authenticate, AuthenticationContext } from "./authenticate.ts";
import { tooManyChecks } from "./too-many-checks.ts";
import type { Principal } from "./principal.ts";
import { createRememberedCredentials } from "./remembered-credentials.ts";

/** Judges credentials again. Tells nobody of logins: whoever is judged again was let in, and told of, before. */
export type ReviewCredentials = (
  authorization: string | undefined,
  context: Omit<AuthenticationContext, "onLogin">,
) => Promise<Principal>;

/**
 * Judges credentials again whose caller was let in before and whose answer takes long. What comes of it, a rejection too, serves everybody
 * who asks about the same credentials from the same address for `rememberMs`, and four are judged at once: a thousand streams that ask every
 * few seconds are no load. Rejects like `authenticate`, and with DomainError("unavailable") where too many wait.
 */
export function createCredentialReview(
  authenticate: Authenticate,
  options: { readonly rememberMs?: number; readonly now?: () => number } = {},
): ReviewCredentials {
  const { rememberMs = 3_000, now = () => performance.now() } = options;
  const remembered = createRememberedCredentials<Promise<Principal>>({ rememberMs, now });
  const reviews = createSemaphore({ ...fairPolicy(4), maxWaiting: 1_000, refuse: tooManyChecks });
  return async (authorization, context) => {
    const key = remembered.keyOf(authorization ?? "", context.address, String(context.basicOnly));
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const judged = reviews.run(context.address, async () =>
      authenticate(authorization, { ...context, onLogin: () => undefined }),
    );
    remembered.add(key, judged);
    return judged;
  };
}
