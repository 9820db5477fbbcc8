/** How people sign in to the console at the issuer of bearer tokens: by the code flow with PKCE. docs/decisions/0044. */
export interface ConsoleSignIn {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** What the page talks to meanwhile: the origins of the issuer and of its token endpoint; the issuer's alone while it does not answer. */
  origins(): Promise<readonly string[]>;
}

/** An issuer that is away is asked again at most this often, and by one request at a time. */
const retryAfterMs = 5_000;

/**
 * Makes it. The token endpoint is looked up once, and again for as long as that fails.
 * @param options.discover rejects where the issuer does not tell; `onFailure` is told why.
 */
export function createConsoleSignIn(
  settings: Pick<ConsoleSignIn, "issuer" | "clientId" | "scope">,
  options: { readonly discover: (issuer: string) => Promise<URL>; readonly onFailure: (error: unknown) => void },
): ConsoleSignIn {
  const issuerOrigin = new URL(settings.issuer).origin;
  let known: readonly string[] | undefined;
  let looking: Promise<readonly string[]> | undefined;
  let mayLookAt = 0;

  async function look(): Promise<readonly string[]> {
    try {
      const { origin } = await options.discover(settings.issuer);
      known = [...new Set([issuerOrigin, origin])];
      return known;
    } catch (error) {
      mayLookAt = performance.now() + retryAfterMs;
      options.onFailure(error);
      return [issuerOrigin];
    } finally {
      looking = undefined;
    }
  }

  return {
    ...settings,
    async origins() {
      if (known !== undefined) return known;
      if (performance.now() < mayLookAt) return [issuerOrigin];
      looking ??= look();
      return looking;
    },
  };
}
