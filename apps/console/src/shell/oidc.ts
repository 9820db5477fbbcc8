import type { OidcSettings, PendingSignIn } from "./oidc-flow.ts";
import { replaceRoute } from "./route.ts";
import { signInWithToken } from "./session.ts";
import { createPageState } from "./page-state.ts";

const pendingStorageKey = "oidc";
const settingsJson = document.querySelector<HTMLMetaElement>('meta[name="oidc"]')?.content;

/** The settings of the sign-in at an issuer. Null if the deployment supports only name and password. docs/decisions/0044. */
export const oidcSettings: OidcSettings | null =
  settingsJson === undefined ? null : (JSON.parse(settingsJson) as OidcSettings);

/** The sign-in after a redirect from the issuer: running if `error` is null, otherwise failed. Null without a redirect. */
export const issuerReturn = createPageState<{ readonly error: string | null } | null>(null);

/** Redirects to the issuer, which redirects back to the current route. Rejects with an Error whose message is shown to the user. */
export async function redirectToIssuer(): Promise<void> {
  const { beginSignIn } = await import("./oidc-flow.ts");
  const { url, pending } = await beginSignIn(oidcSettings!);
  storePending(pending);
  location.assign(url);
}

/** Completes the sign-in after a redirect from the issuer. Call it once, before rendering. */
export function handleIssuerReturn(): void {
  // Removes the stored verifier in any case, also after an abandoned sign-in.
  const pending = takePending();
  const { search } = location;
  if (oidcSettings === null || search === "") return;
  // Removes the authorization code from the URL, so that a reload or the history does not use it again.
  replaceRoute(pending?.fragment ?? location.hash);
  if (pending !== null) void signInAfterRedirect(oidcSettings, new URLSearchParams(search), pending);
}

/** Stores the values that the redirect needs. The next start of the console removes them. Tokens are never stored. */
function storePending(pending: PendingSignIn): void {
  try {
    sessionStorage.setItem(pendingStorageKey, JSON.stringify(pending));
  } catch (error) {
    throw new Error(
      "This browser denies storage, which this sign-in needs. Allow it for this site, or use a password.",
      {
        cause: error,
      },
    );
  }
}

/** Reads and removes the stored values. Returns null if there are none, or if the browser denies storage. */
function takePending(): PendingSignIn | null {
  try {
    const kept = sessionStorage.getItem(pendingStorageKey);
    sessionStorage.removeItem(pendingStorageKey);
    return kept === null ? null : (JSON.parse(kept) as PendingSignIn);
  } catch {
    return null;
  }
}

async function signInAfterRedirect(at: OidcSettings, answer: URLSearchParams, pending: PendingSignIn): Promise<void> {
  issuerReturn.value = { error: null };
  try {
    const { finishSignIn } = await import("./oidc-flow.ts");
    await signInWithToken(await finishSignIn(at, answer, pending));
    issuerReturn.value = null;
  } catch (error) {
    issuerReturn.value = { error: error instanceof Error ? error.message : String(error) };
  }
}
