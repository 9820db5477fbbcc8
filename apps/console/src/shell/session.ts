import { computed, signal } from "@preact/signals";
import { createGateway, GatewayError, type Gateway, type ReportType } from "@reports/client";
import { nameOf } from "../parts/text.ts";
import { offerTo, type Offer } from "./offer.ts";

/** Who is signed in, and what they may do. It lives in this variable alone: a reload signs in again. */
export interface Session {
  readonly gateway: Gateway;
  /** As it is shown. */
  readonly name: string;
  /** Or else by a token of the issuer's. */
  readonly isByPassword: boolean;
  /** The principal, as records name it. */
  readonly id: string;
  readonly authorities: ReadonlySet<string>;
  readonly reportTypes: readonly ReportType[];
  readonly offer: Offer;
}

/** Null until somebody has signed in. */
export const session = signal<Session | null>(null);
/** Whether the gateway takes the credentials no longer. What was on the page stays there behind the question for them. */
export const hasExpired = signal(false);
/** Whether the last request got no answer. */
export const isOffline = signal(false);

/** Where the gateway is: the page's own address without its last part, whatever prefix a proxy strips. */
export const baseUrl = new URL(".", location.href).href.replace(/\/$/, "");

/** Whether whoever is signed in holds the authority. */
export function may(authority: string): boolean {
  return session.value?.authorities.has(authority) ?? false;
}

/** The report types whose reports whoever is signed in may have. */
export const startableTypes = computed(() => startableBy(session.value));

function startableBy(who: Pick<Session, "authorities" | "reportTypes"> | null): readonly ReportType[] {
  return who?.reportTypes.filter(({ authority }) => who.authorities.has(authority)) ?? [];
}

/** Signs in. Rejects with a GatewayError; then nobody is signed in who was not before. */
export async function signIn(name: string, password: string): Promise<void> {
  if (name.includes(":"))
    throw new GatewayError({ status: 401, code: "credentials-invalid", detail: "A name cannot contain a colon." });
  await enter(createGateway({ baseUrl, credentials: { name, password }, fetch: watchedFetch }), { name });
}

/** Signs in by an access token of the issuer's. Rejects as `signIn` does. */
export async function signInWithToken(token: string): Promise<void> {
  await enter(createGateway({ baseUrl, token: () => token, fetch: watchedFetch }), { name: null });
}

async function enter(gateway: Gateway, { name }: { readonly name: string | null }): Promise<void> {
  const { id, authorities: held } = await gateway.caller();
  const authorities = new Set<string>(held);
  const reportTypes = await gateway.reportTypes.list();
  const mayStart = startableBy({ authorities, reportTypes }).length > 0;
  const offer = await offerTo(gateway, { authorities, mayStart });
  const shown = name ?? nameOf(id);
  const isByPassword = name !== null;
  session.value = { gateway, name: shown, isByPassword, id, authorities, reportTypes, offer };
  hasExpired.value = false;
}

/** Forgets everything. */
export function signOut(): void {
  session.value = null;
  hasExpired.value = false;
}

/** Notices whether there is an answer at all; the client goes on trying. */
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
