import type { OidcSettings, PendingSignIn } from "./oidc-flow.ts";
import { replaceRoute } from "./route.ts";
import { signInWithToken } from "./session.ts";
import { forgetToken, isRemembered, keptToken, remember } from "./remembered-sign-in.ts";
import { createPageState } from "./page-state.ts";

const pendingStorageKey = "oidc";
const settingsJson = document.querySelector<HTMLMetaElement>('meta[name="oidc"]')?.content;

/** The settings of the sign-in at an issuer. Null if the deployment supports only name and password. docs/decisions/0044. */
export const oidcSettings: OidcSettings | null =
  settingsJson === undefined ? null : (JSON.parse(settingsJson) as OidcSettings);

/** A sign-in without the form: running if `error` is null, otherwise failed. Null if there is none. */
export const formlessSignIn = createPageState<{ readonly error: string | null } | null>(null);

/** Redirects to the issuer, which redirects back to the current route. Rejects with an Error whose message is shown to the user. */
export async function redirectToIssuer(isSilent = false): Promise<void> {
  const { beginSignIn } = await import("./oidc-flow.ts");
  const { url, pending } = await beginSignIn(oidcSettings!, isSilent);
  storePending(pending);
  // A silent sign-in leaves no entry in the history, so that the back button does not repeat it.
  if (isSilent) location.replace(url);
  else location.assign(url);
}

/**
 * Completes the sign-in after a redirect from the issuer. Otherwise signs in by the token that the tab keeps, or begins a silent sign-in if the user
 * signed in at the issuer before and did not sign out. Call it once, before rendering.
 */
export function signInWithoutForm(): void {
  // Removes the stored verifier in any case, also after an abandoned sign-in.
  const pending = takePending();
  const token = pending === null ? keptToken() : null;
  if (token !== null) {
    void signInAgain(token);
    return;
  }
  const { search } = location;
  if (oidcSettings === null) return;
  if (search === "") {
    // The latest redirect did not return. Another one might not return either.
    if (pending?.isSilent === true) remember(false);
    else if (isRemembered()) void signInSilently();
    return;
  }
  // Removes the authorization code from the URL, so that a reload or the history does not use it again.
  replaceRoute(pending?.fragment ?? location.hash);
  if (pending !== null) void signInAfterRedirect(oidcSettings, new URLSearchParams(search), pending);
}

/** Stores the values that the redirect needs. The next start of the console removes them. */
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

/** Signs in by the token of this tab. If the gateway refuses it, the user gets the form. */
async function signInAgain(token: string): Promise<void> {
  formlessSignIn.value = { error: null };
  await signInWithToken(token, true).catch(forgetToken);
  formlessSignIn.value = null;
}

async function signInSilently(): Promise<void> {
  formlessSignIn.value = { error: null };
  try {
    await redirectToIssuer(true);
  } catch {
    formlessSignIn.value = null;
  }
}

async function signInAfterRedirect(at: OidcSettings, answer: URLSearchParams, pending: PendingSignIn): Promise<void> {
  formlessSignIn.value = { error: null };
  try {
    const { finishSignIn } = await import("./oidc-flow.ts");
    await signInWithToken(await finishSignIn(at, answer, pending), false);
    forgetToken();
    remember(true);
    formlessSignIn.value = null;
  } catch (error) {
    // Without a session at the issuer, a silent sign-in fails. The user then signs in as for the first time.
    if (pending.isSilent) remember(false);
    formlessSignIn.value = pending.isSilent ? null : { error: error instanceof Error ? error.message : String(error) };
  }
}
