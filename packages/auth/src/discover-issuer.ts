import { fetchIssuerJson } from "./fetch-issuer-json.ts";

/**
 * Where an OIDC issuer exchanges codes for tokens, by its discovery document. Rejects with an Error where there is none, or where it is
 * another issuer's.
 */
export async function discoverTokenEndpoint(issuer: string): Promise<URL> {
  const url = new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  const what = "The issuer's discovery document";
  const document = (await fetchIssuerJson(url, { what, accept: "application/json", fetch })) as {
    readonly issuer?: unknown;
    readonly token_endpoint?: unknown;
  } | null;
  if (document?.issuer !== issuer) throw new Error(`${what} names another issuer than AUTH_ISSUER.`);
  if (typeof document.token_endpoint !== "string") throw new Error(`${what} names no token endpoint.`);
  const endpoint = document.token_endpoint;
  if (!URL.canParse(endpoint) || !isTrustworthy(new URL(endpoint), new URL(issuer)))
    throw new Error(`${what} names a token endpoint that is not an https URL.`);
  return new URL(endpoint);
}

/**
 * Reports whether an endpoint is https, or http where the issuer is. Its origin becomes part of a Content-Security-Policy, in which `;` and
 * `,` have a meaning of their own.
 */
function isTrustworthy({ protocol, host }: URL, issuer: URL): boolean {
  return (protocol === "https:" || (protocol === "http:" && issuer.protocol === "http:")) && /^[\w.:[\]-]+$/.test(host);
}
