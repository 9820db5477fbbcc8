import { signal } from "@preact/signals";
import type { OidcSettings, Pending } from "./oidc-flow.ts";
import { replaceRoute } from "./route.ts";
import { signInWithToken } from "./session.ts";

const pendingKey = "oidc";
const settings = document.querySelector<HTMLMetaElement>('meta[name="oidc"]')?.content;

/** Null if only name and password are supported. docs/decisions/0044. */
export const oidc: OidcSettings | null = settings === undefined ? null : (JSON.parse(settings) as OidcSettings);

/** Set after a redirect from the issuer, with the error if the sign-in failed. */
export const comingBack = signal<{ readonly error: string | null } | null>(null);

/** Goes to the issuer, which redirects back to this route. Rejects with an Error for the reader. */
export async function leaveForIssuer(): Promise<void> {
  const { beginAt } = await import("./oidc-flow.ts");
  const { url, pending } = await beginAt(oidc!);
  keepPending(pending);
  location.assign(url);
}

/** Signs in after a redirect from the issuer. Call it once, before rendering. */
export function takeReturn(): void {
  // Before anything else: an abandoned sign-in leaves a verifier, too.
  const pending = takePending();
  const { search } = location;
  if (oidc === null || search === "") return;
  // The code is single-use: neither a reload nor the history may contain it.
  replaceRoute(pending?.fragment ?? location.hash);
  if (pending !== null) void finish(oidc, new URLSearchParams(search), pending);
}

/** Only for the redirect: it is removed when the console opens again, and tokens are never stored. */
function keepPending(pending: Pending): void {
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
function takePending(): Pending | null {
  try {
    const kept = sessionStorage.getItem(pendingKey);
    sessionStorage.removeItem(pendingKey);
    return kept === null ? null : (JSON.parse(kept) as Pending);
  } catch {
    return null;
  }
}

async function finish(at: OidcSettings, answer: URLSearchParams, pending: Pending): Promise<void> {
  comingBack.value = { error: null };
  try {
    const { finishAt } = await import("./oidc-flow.ts");
    await signInWithToken(await finishAt(at, answer, pending));
    comingBack.value = null;
  } catch (error) {
    comingBack.value = { error: error instanceof Error ? error.message : String(error) };
  }
}
