import { fetchIssuerJson } from "./fetch-issuer-json.ts";

/** Returns the token endpoint of an OIDC issuer. Rejects if the discovery document is missing or names another issuer. */
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
 * Reports whether the token endpoint has https, or http if the issuer also has http. Its host must not contain `;` or `,`: the console's Content-
 * Security-Policy lists the host, and these characters separate its entries.
 */
function isTrustworthy({ protocol, host }: URL, issuer: URL): boolean {
  return (protocol === "https:" || (protocol === "http:" && issuer.protocol === "http:")) && /^[\w.:[\]-]+$/.test(host);
}
