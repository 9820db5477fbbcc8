import { createGateway, GatewayError, type Gateway, type ReportType } from "@reports/client";
import { principalName } from "../parts/text.ts";
import { readCapabilities, type Capabilities } from "./capabilities.ts";
import { createPageState } from "./page-state.ts";
import { remember } from "./remembered-sign-in.ts";

/** The signed-in user. It is kept in memory only. After a reload, the user signs in again, silently at an issuer. */
export interface Session {
  readonly gateway: Gateway;
  readonly name: string;
  /** Whether the user signed in by password. Otherwise, by an access token of the issuer. */
  readonly isByPassword: boolean;
  /** The ID of the principal, as it appears in records. */
  readonly id: string;
  readonly authorities: ReadonlySet<string>;
  readonly reportTypes: readonly ReportType[];
  readonly capabilities: Capabilities;
}

export const session = createPageState<Session | null>(null);
/** Whether the gateway no longer accepts the credentials. The page then stays behind the sign-in dialog. */
export const hasSessionExpired = createPageState(false);
export const isOffline = createPageState(false);

/** The URL of the page without its last segment. It includes the path prefix of a proxy. */
export const baseUrl = new URL(".", location.href).href.replace(/\/$/, "");

export function hasAuthority(authority: string): boolean {
  return session.value?.authorities.has(authority) ?? false;
}

/** Returns the report types that the user may start. */
export function findStartableTypes(
  user: Pick<Session, "authorities" | "reportTypes"> | null = session.value,
): readonly ReportType[] {
  return user?.reportTypes.filter(({ authority }) => user.authorities.has(authority)) ?? [];
}

/** Signs in by name and password. If it rejects with a GatewayError, the previous session stays. */
export async function signIn(name: string, password: string): Promise<void> {
  if (name.includes(":"))
    throw new GatewayError({ status: 401, code: "credentials-invalid", detail: "A name cannot contain a colon." });
  await startSession(createGateway({ baseUrl, credentials: { name, password }, fetch: trackedFetch }), { name });
  // A reload must not sign in the person who used this browser before.
  remember(false);
}

/** Signs in by an access token of the issuer. Rejects as `signIn` does. */
export async function signInWithToken(token: string): Promise<void> {
  await startSession(createGateway({ baseUrl, token: () => token, fetch: trackedFetch }), { name: null });
}

async function startSession(gateway: Gateway, { name }: { readonly name: string | null }): Promise<void> {
  const { id, authorities: granted } = await gateway.caller();
  const authorities = new Set<string>(granted);
  const reportTypes = await gateway.reportTypes.list();
  const mayStart = findStartableTypes({ authorities, reportTypes }).length > 0;
  const capabilities = await readCapabilities(gateway, { authorities, mayStart });
  const displayName = name ?? principalName(id);
  const isByPassword = name !== null;
  session.value = { gateway, name: displayName, isByPassword, id, authorities, reportTypes, capabilities };
  hasSessionExpired.value = false;
}

export function signOut(): void {
  remember(false);
  session.value = null;
  hasSessionExpired.value = false;
}

/** Calls `fetch` and sets `isOffline` if there is no response. The client itself retries. */
async function trackedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init);
    isOffline.value = false;
    return response;
  } catch (error) {
    if (init?.signal?.aborted !== true) isOffline.value = true;
    throw error;
  }
}
