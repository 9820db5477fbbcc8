import { GatewayError, type RecordGateway, type ReportType } from "@reports/client";
import { createRecordGateway } from "@reports/client/records";
import { principalName } from "../parts/text.ts";
import { readCapabilities, type Capabilities } from "./capabilities.ts";
import { createPageState } from "./page-state.ts";
import { forgetToken, keepToken, remember } from "./remembered-sign-in.ts";

/** The signed-in user. docs/decisions/0044-a-console-served-by-the-api.md says what outlives a reload. */
export interface Session {
  readonly gateway: RecordGateway;
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

/** Returns the report type of this name. Undefined if the deployment lacks it. */
export function findReportType(name: string | null): ReportType | undefined {
  return session.value?.reportTypes.find(({ reportType }) => reportType === name);
}

export function reportTypeTitle(name: string): string {
  return findReportType(name)?.title ?? name;
}

/** Returns the report type of this name if the user may start it. */
export function findStartableType(name: string | null): ReportType | undefined {
  return findStartableTypes().find(({ reportType }) => reportType === name);
}

/** Returns the report types that the user may start. */
export function findStartableTypes(
  user: Pick<Session, "authorities" | "reportTypes"> | null = session.value,
): readonly ReportType[] {
  return user?.reportTypes.filter(({ authority }) => user.authorities.has(authority)) ?? [];
}

/** The latest sign-in. A token that is renewed after the user has signed out is not kept. */
let latest: symbol;

/** Signs in by name and password. If it rejects with a GatewayError, the previous session stays. */
export async function signIn(name: string, password: string): Promise<void> {
  if (name.includes(":"))
    throw new GatewayError({ status: 401, code: "credentials-invalid", detail: "A name cannot contain a colon." });
  const own = (latest = Symbol());
  const options = { baseUrl, credentials: { name, password }, fetch: trackedFetch };
  await startSession(
    createRecordGateway(options, (token) => own === latest && keepToken(token)),
    true,
  );
  // A reload must not sign in the person who used this browser before.
  remember(false);
}

/** Signs in by an access token of the issuer, or by a token for which a password was given in this tab. Rejects as `signIn` does. */
export async function signInWithToken(token: string, isByPassword: boolean): Promise<void> {
  await startSession(createRecordGateway({ baseUrl, token: () => token, fetch: trackedFetch }), isByPassword);
}

async function startSession(gateway: RecordGateway, isByPassword: boolean): Promise<void> {
  const { id, authorities: granted } = await gateway.caller();
  const authorities = new Set<string>(granted);
  const reportTypes = await gateway.reportTypes.list();
  const mayStart = findStartableTypes({ authorities, reportTypes }).length > 0;
  const capabilities = await readCapabilities(gateway, { authorities, mayStart });
  session.value = { gateway, name: principalName(id), isByPassword, id, authorities, reportTypes, capabilities };
  hasSessionExpired.value = false;
}

export function signOut(): void {
  latest = Symbol();
  forgetToken();
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
