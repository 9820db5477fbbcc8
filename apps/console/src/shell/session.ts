import { GatewayError, type RecordGateway, type ReportType } from "@reports/client";
import { createRecordGateway } from "@reports/client/records";
import { formatPrincipalName } from "../parts/text.ts";
import { readCapabilities, type UserCapabilities } from "./user-capabilities.ts";
import { createObservableValue } from "./observable-value.ts";
import { removeStoredToken, storeToken, storeSignedInAtIssuer } from "./remembered-sign-in.ts";

/** The signed-in user with the user's rights. docs/decisions/0044-a-console-served-by-the-api.md says what a reload keeps. */
export interface Session {
  readonly gateway: RecordGateway;
  readonly name: string;
  readonly isByPassword: boolean;
  readonly id: string;
  readonly authorities: ReadonlySet<string>;
  readonly reportTypes: readonly ReportType[];
  readonly capabilities: UserCapabilities;
}

export const session = createObservableValue<Session | null>(null);
/** Whether the API no longer accepts the credentials. The page stays behind the sign-in dialog and keeps its state. */
export const hasSessionExpired = createObservableValue(false);
export const isOffline = createObservableValue(false);

/** The base URL of the API: the page's URL without its last segment, so with the path prefix of a proxy. */
export const apiBaseUrl = new URL(".", location.href).href.replace(/\/$/, "");

export function hasAuthority(authority: string): boolean {
  return session.value?.authorities.has(authority) ?? false;
}

export function findReportType(name: string | null): ReportType | undefined {
  return session.value?.reportTypes.find(({ reportType }) => reportType === name);
}

export function findReportTypeTitle(name: string): string {
  return findReportType(name)?.title ?? name;
}

/** Returns the report type of this name, or undefined if it is unknown or the user lacks its authority. */
export function findStartableType(name: string | null): ReportType | undefined {
  return listStartableTypes().find(({ reportType }) => reportType === name);
}

export function listStartableTypes(
  user: Pick<Session, "authorities" | "reportTypes"> | null = session.value,
): readonly ReportType[] {
  return user?.reportTypes.filter(({ authority }) => user.authorities.has(authority)) ?? [];
}

/** Identifies the latest sign-in. A token that is renewed after the user has signed out is not stored, because the tab would sign in again. */
let latest: symbol;

/** Signs in by name and password. If it rejects with a GatewayError, the previous user stays signed in. */
export async function signIn(name: string, password: string): Promise<void> {
  if (name.includes(":"))
    throw new GatewayError({ status: 401, code: "credentials-invalid", detail: "A name cannot contain a colon." });
  const own = (latest = Symbol());
  const options = { baseUrl: apiBaseUrl, credentials: { name, password }, fetch: trackedFetch };
  await startSession(
    createRecordGateway(options, (token) => own === latest && storeToken(token)),
    true,
  );
  // After a reload, a silent sign-in could sign in the person who used the issuer in this browser before.
  storeSignedInAtIssuer(false);
}

/** Signs in with an access token: of the issuer, or of an earlier password sign-in in this tab. Rejects like `signIn`. */
export async function signInWithToken(token: string, isByPassword: boolean): Promise<void> {
  await startSession(
    createRecordGateway({ baseUrl: apiBaseUrl, token: () => token, fetch: trackedFetch }),
    isByPassword,
  );
}

async function startSession(gateway: RecordGateway, isByPassword: boolean): Promise<void> {
  const { id, authorities: granted } = await gateway.caller();
  const authorities = new Set<string>(granted);
  const reportTypes = await gateway.reportTypes.list();
  const mayStart = listStartableTypes({ authorities, reportTypes }).length > 0;
  const capabilities = await readCapabilities(gateway, { authorities, mayStart });
  session.value = { gateway, name: formatPrincipalName(id), isByPassword, id, authorities, reportTypes, capabilities };
  hasSessionExpired.value = false;
}

export function signOut(): void {
  latest = Symbol();
  removeStoredToken();
  storeSignedInAtIssuer(false);
  session.value = null;
  hasSessionExpired.value = false;
}

/** Calls `fetch`, and sets `isOffline` if there is no response. The retries are made by the client. */
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
