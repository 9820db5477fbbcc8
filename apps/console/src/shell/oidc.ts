import { signal } from "@preact/signals";
import type { OidcSettings, Pending } from "./oidc-flow.ts";
import { settleAt } from "./place.ts";
import { signInWithToken } from "./session.ts";

const pendingKey = "oidc";
const settings = document.querySelector<HTMLMetaElement>('meta[name="oidc"]')?.content;

/** Null: by name and password alone. docs/decisions/0044. */
export const oidc: OidcSettings | null = settings === undefined ? null : (JSON.parse(settings) as OidcSettings);

/** Whether somebody has just come back, and what came of it when that did not work. */
export const comingBack = signal<{ readonly wrong: string | null } | null>(null);

/** Goes to the issuer, and comes back to this place. Rejects with an Error whose message says why that is not possible. */
export async function leaveForIssuer(): Promise<void> {
  const { beginAt } = await import("./oidc-flow.ts");
  const { url, pending } = await beginAt(oidc!);
  keepPending(pending);
  location.assign(url);
}

/** Signs in whoever the issuer has just sent back. To be called once, before anything is shown. */
export function takeReturn(): void {
  // Before anything else: a sign-in that was abandoned leaves a verifier, too.
  const pending = takePending();
  const { search } = location;
  if (oidc === null || search === "") return;
  // The code is of one use: neither a reload nor the history is to have it.
  settleAt(pending?.fragment ?? location.hash);
  if (pending !== null) void finish(oidc, new URLSearchParams(search), pending);
}

/** For the redirect alone: it is removed when the console opens again, and no token is ever kept. */
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
  comingBack.value = { wrong: null };
  try {
    const { finishAt } = await import("./oidc-flow.ts");
    await signInWithToken(await finishAt(at, answer, pending));
    comingBack.value = null;
  } catch (error) {
    comingBack.value = { wrong: error instanceof Error ? error.message : String(error) };
  }
}
