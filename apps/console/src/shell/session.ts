import { computed, signal } from "@preact/signals";
import { createGateway, GatewayError, type Gateway, type ReportType } from "@reports/client";
import { principalName } from "../parts/text.ts";
import { readCapabilities, type Capabilities } from "./capabilities.ts";

/** In memory only: after a reload one signs in again. */
export interface Session {
  readonly gateway: Gateway;
  readonly name: string;
  /** Otherwise by an access token of the issuer. */
  readonly isByPassword: boolean;
  /** The principal, as records name it. */
  readonly id: string;
  readonly authorities: ReadonlySet<string>;
  readonly reportTypes: readonly ReportType[];
  readonly capabilities: Capabilities;
}

/** Null before the sign-in. */
export const session = signal<Session | null>(null);
/** Whether the gateway refuses the credentials by now. The page remains behind the sign-in dialog. */
export const hasExpired = signal(false);
export const isOffline = signal(false);

/** The page's own URL without its last segment, whatever prefix a proxy strips. */
export const baseUrl = new URL(".", location.href).href.replace(/\/$/, "");

export function hasAuthority(authority: string): boolean {
  return session.value?.authorities.has(authority) ?? false;
}

/** The report types that the caller may start. */
export const startableTypes = computed(() => startableBy(session.value));

function startableBy(user: Pick<Session, "authorities" | "reportTypes"> | null): readonly ReportType[] {
  return user?.reportTypes.filter(({ authority }) => user.authorities.has(authority)) ?? [];
}

/** Rejects with a GatewayError, and keeps the previous session then. */
export async function signIn(name: string, password: string): Promise<void> {
  if (name.includes(":"))
    throw new GatewayError({ status: 401, code: "credentials-invalid", detail: "A name cannot contain a colon." });
  await startSession(createGateway({ baseUrl, credentials: { name, password }, fetch: watchedFetch }), { name });
}

/** By an access token of the issuer. Rejects as `signIn` does. */
export async function signInWithToken(token: string): Promise<void> {
  await startSession(createGateway({ baseUrl, token: () => token, fetch: watchedFetch }), { name: null });
}

async function startSession(gateway: Gateway, { name }: { readonly name: string | null }): Promise<void> {
  const { id, authorities: granted } = await gateway.caller();
  const authorities = new Set<string>(granted);
  const reportTypes = await gateway.reportTypes.list();
  const mayStart = startableBy({ authorities, reportTypes }).length > 0;
  const capabilities = await readCapabilities(gateway, { authorities, mayStart });
  const displayName = name ?? principalName(id);
  const isByPassword = name !== null;
  session.value = { gateway, name: displayName, isByPassword, id, authorities, reportTypes, capabilities };
  hasExpired.value = false;
}

export function signOut(): void {
  session.value = null;
  hasExpired.value = false;
}

/** Detects missing responses; the client retries. */
async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(input, init);
    isOffline.value = false;
    return answer;
  } catch (error) {
    if (init?.signal?.aborted !== true) isOffline.value = true;
    throw error;
  }
}
