import { signal } from "@preact/signals";
import type { OidcSettings, PendingSignIn } from "./oidc-flow.ts";
import { replaceRoute } from "./route.ts";
import { signInWithToken } from "./session.ts";

const pendingKey = "oidc";
const settings = document.querySelector<HTMLMetaElement>('meta[name="oidc"]')?.content;

/** Null if only name and password are supported. docs/decisions/0044. */
export const oidc: OidcSettings | null = settings === undefined ? null : (JSON.parse(settings) as OidcSettings);

/** Set after a redirect from the issuer, with the error if the sign-in failed. */
export const issuerReturn = signal<{ readonly error: string | null } | null>(null);

/** Goes to the issuer, which redirects back to this route. Rejects with an Error for the reader. */
export async function redirectToIssuer(): Promise<void> {
  const { beginSignIn } = await import("./oidc-flow.ts");
  const { url, pending } = await beginSignIn(oidc!);
  storePending(pending);
  location.assign(url);
}

/** Signs in after a redirect from the issuer. Call it once, before rendering. */
export function handleIssuerReturn(): void {
  // Before anything else: an abandoned sign-in leaves a verifier, too.
  const pending = takePending();
  const { search } = location;
  if (oidc === null || search === "") return;
  // The code is single-use: neither a reload nor the history may contain it.
  replaceRoute(pending?.fragment ?? location.hash);
  if (pending !== null) void finish(oidc, new URLSearchParams(search), pending);
}

/** Only for the redirect: it is removed when the console opens again, and tokens are never stored. */
function storePending(pending: PendingSignIn): void {
  try {
    sessionStorage.setItem(pendingKey, JSON.stringify(pending));
  } catch (error) {
    throw new Error(
      "This browser denies storage, which this sign-in needs. Allow it for this site, or use a password.",
      {
        cause: error,
      },
    );
  }
}

/** Null if there is none, and in a browser that denies storage. */
function takePending(): PendingSignIn | null {
  try {
    const kept = sessionStorage.getItem(pendingKey);
    sessionStorage.removeItem(pendingKey);
    return kept === null ? null : (JSON.parse(kept) as PendingSignIn);
  } catch {
    return null;
  }
}

async function finish(at: OidcSettings, answer: URLSearchParams, pending: PendingSignIn): Promise<void> {
  issuerReturn.value = { error: null };
  try {
    const { finishSignIn } = await import("./oidc-flow.ts");
    await signInWithToken(await finishSignIn(at, answer, pending));
    issuerReturn.value = null;
  } catch (error) {
    issuerReturn.value = { error: error instanceof Error ? error.message : String(error) };
  }
}
