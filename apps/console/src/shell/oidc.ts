import type { OidcSettings, PendingSignIn } from "./oidc-flow.ts";
import { replaceRoute } from "./route.ts";
import { signInWithToken } from "./session.ts";
import {
  removeStoredToken,
  wasSignedInAtIssuer,
  readStoredToken,
  storeSignedInAtIssuer,
} from "./remembered-sign-in.ts";
import { createObservableValue } from "./observable-value.ts";

const pendingStorageKey = "oidc";
const settingsJson = document.querySelector<HTMLMetaElement>('meta[name="oidc"]')?.content;

/** The settings of the OIDC sign-in. Null if the deployment supports only name and password. docs/decisions/0044. */
export const oidcSettings: OidcSettings | null =
  settingsJson === undefined ? null : (JSON.parse(settingsJson) as OidcSettings);

/** The state of a sign-in without the form. `error` is null while the sign-in runs. The state is null if no such sign-in runs or has failed. */
export const automaticSignInState = createObservableValue<{ readonly error: string | null } | null>(null);

/** Redirects to the issuer, which redirects back to the current route. Rejects with an Error whose message the page shows to the user. */
export async function redirectToIssuer(isSilent = false): Promise<void> {
  const { beginSignIn } = await import("./oidc-flow.ts");
  const { url, pending } = await beginSignIn(oidcSettings!, isSilent);
  storePending(pending);
  // `location.replace` adds no entry to the history. Otherwise, the back button would repeat the silent sign-in.
  if (isSilent) location.replace(url);
  else location.assign(url);
}

/**
 * Completes the sign-in after a redirect from the issuer. Otherwise signs in with the token that the tab keeps. Otherwise begins a silent sign-in, if
 * the user signed in at the issuer before and did not sign out. Call it once, before rendering.
 */
export function signInAutomatically(): void {
  // Removes the stored code verifier even if the user abandoned the sign-in, because it must be used only once.
  const pending = takePending();
  const token = pending === null ? readStoredToken() : null;
  if (token !== null) {
    void signInAgain(token);
    return;
  }
  const { search } = location;
  if (oidcSettings === null) return;
  if (search === "") {
    // The issuer did not redirect back after the latest silent sign-in. Another attempt could fail in the same way, so the user gets the form.
    if (pending?.isSilent === true) storeSignedInAtIssuer(false);
    else if (wasSignedInAtIssuer()) void signInSilently();
    return;
  }
  replaceRoute(pending?.fragment ?? location.hash);
  if (pending !== null) void signInAfterRedirect(oidcSettings, new URLSearchParams(search), pending);
}

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

function takePending(): PendingSignIn | null {
  try {
    const kept = sessionStorage.getItem(pendingStorageKey);
    sessionStorage.removeItem(pendingStorageKey);
    return kept === null ? null : (JSON.parse(kept) as PendingSignIn);
  } catch {
    return null;
  }
}

async function signInAgain(token: string): Promise<void> {
  automaticSignInState.value = { error: null };
  await signInWithToken(token, true).catch(removeStoredToken);
  automaticSignInState.value = null;
}

async function signInSilently(): Promise<void> {
  automaticSignInState.value = { error: null };
  try {
    await redirectToIssuer(true);
  } catch {
    automaticSignInState.value = null;
  }
}

async function signInAfterRedirect(at: OidcSettings, answer: URLSearchParams, pending: PendingSignIn): Promise<void> {
  automaticSignInState.value = { error: null };
  try {
    const { finishSignIn } = await import("./oidc-flow.ts");
    await signInWithToken(await finishSignIn(at, answer, pending), false);
    removeStoredToken();
    storeSignedInAtIssuer(true);
    automaticSignInState.value = null;
  } catch (error) {
    // A silent sign-in fails if the user has no session at the issuer. The user then gets the form, without an error.
    if (pending.isSilent) storeSignedInAtIssuer(false);
    automaticSignInState.value = pending.isSilent
      ? null
      : { error: error instanceof Error ? error.message : String(error) };
  }
}
