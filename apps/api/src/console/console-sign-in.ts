/** Sign-in to the console at the issuer of bearer tokens, by the code flow with PKCE. docs/decisions/0044. */
export interface ConsoleSignIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** Returns the origins to which the page sends requests: the issuer and its token endpoint. While the issuer is unavailable, returns only the issuer. */
  origins(): Promise<readonly string[]>;
}

/** Pause before the next attempt to read the metadata of an unavailable issuer. */
const discoveryRetryMs = 5_000;

/** Creates the sign-in. It reads the token endpoint from the issuer's metadata once, and retries after a failure, which `onFailure` gets. */
export function createConsoleSignIn(
  settings: Pick<ConsoleSignIn, "issuer" | "clientId" | "scope">,
  options: { readonly discover: (issuer: string) => Promise<URL>; readonly onFailure: (error: unknown) => void },
): ConsoleSignIn {
  const issuerOrigin = new URL(settings.issuer).origin;
  let known: readonly string[] | undefined;
  let pending: Promise<readonly string[]> | undefined;
  let nextAttemptAt = 0;

  async function discoverOrigins(): Promise<readonly string[]> {
    try {
      const { origin } = await options.discover(settings.issuer);
      known = [...new Set([issuerOrigin, origin])];
      return known;
    } catch (error) {
      nextAttemptAt = performance.now() + discoveryRetryMs;
      options.onFailure(error);
      return [issuerOrigin];
    } finally {
      pending = undefined;
    }
  }

  return {
    ...settings,
    async origins() {
      if (known !== undefined) return known;
      if (performance.now() < nextAttemptAt) return [issuerOrigin];
      pending ??= discoverOrigins();
      return pending;
    },
  };
}
