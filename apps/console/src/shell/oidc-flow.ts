import * as oauth from "oauth4webapi";

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
}

export interface PendingSignIn {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly fragment: string;
  readonly isSilent: boolean;
}

const redirectUri = `${location.origin}${location.pathname}`;

/**
 * Prepares the authorization code flow with PKCE (RFC 6749, RFC 7636, RFC 9207), without a client secret. The caller stores `pending` and redirects
 * to `url`. With `isSilent`, the issuer shows no page, and the sign-in succeeds only if the user is still signed in there.
 */
export async function beginSignIn(
  settings: OidcSettings,
  isSilent: boolean,
): Promise<{ readonly url: string; readonly pending: PendingSignIn }> {
  if (!isSecureContext) throw new Error("Signing in through an issuer needs https.");
  const { authorization_endpoint: endpoint } = await discoverTrustedServer(settings);
  if (endpoint === undefined) throw new Error("The issuer does not say where to sign in.");
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const url = new URL(endpoint);
  for (const [name, value] of Object.entries({
    client_id: settings.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: settings.scope,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
    ...(isSilent && { prompt: "none" }),
  }))
    url.searchParams.set(name, value);
  return { url: url.href, pending: { verifier, state, nonce, fragment: location.hash, isSilent } };
}

/** Exchanges the authorization code for an access token. Rejects with an Error whose message contains neither code nor token. */
export async function finishSignIn(
  settings: OidcSettings,
  answer: URLSearchParams,
  pending: PendingSignIn,
): Promise<string> {
  const server = await discoverTrustedServer(settings);
  const client: oauth.Client = { client_id: settings.clientId };
  try {
    const code = oauth.validateAuthResponse(server, client, answer, pending.state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      code,
      redirectUri,
      pending.verifier,
      requestOptions(settings),
    );
    // The nonce in the ID token proves that the token response belongs to this sign-in. The console does not use the ID token otherwise.
    const isOpenId = settings.scope.split(" ").includes("openid");
    const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: isOpenId ? pending.nonce : oauth.expectNoNonce,
    });
    return token;
  } catch (error) {
    throw new Error(refusalReason(error), { cause: error });
  }
}

async function discoverTrustedServer(settings: OidcSettings): Promise<oauth.AuthorizationServer> {
  const server = await discover(settings);
  // The browser navigates to the authorization endpoint and sends the code to the token endpoint. A `javascript:` URL of the issuer would run in the
  // page.
  for (const endpoint of [server.authorization_endpoint, server.token_endpoint])
    if (endpoint !== undefined && !isTrustworthy(endpoint, settings))
      throw new Error("The issuer’s sign-in address is not https. Tell the operator of the gateway.");
  return server;
}

async function discover(settings: OidcSettings): Promise<oauth.AuthorizationServer> {
  try {
    const issuer = new URL(settings.issuer);
    const response = await oauth.discoveryRequest(issuer, requestOptions(settings));
    return await oauth.processDiscoveryResponse(issuer, response);
  } catch (error) {
    throw new Error("Cannot reach the issuer. Try again, or tell the operator of the gateway.", { cause: error });
  }
}

/** Reports whether an endpoint of the issuer uses https. If the issuer itself uses http, http is accepted on its host and on localhost. */
function isTrustworthy(endpoint: string, settings: OidcSettings): boolean {
  if (!URL.canParse(endpoint)) return false;
  const [{ protocol, hostname }, issuer] = [new URL(endpoint), new URL(settings.issuer)];
  if (protocol === "https:") return true;
  const isLocal = ["localhost", "127.0.0.1", "[::1]", issuer.hostname].includes(hostname);
  return protocol === "http:" && issuer.protocol === "http:" && isLocal;
}

/** Allows plain http if the issuer's URL is http, for development. In production, the API does not start with such an issuer. */
function requestOptions({ issuer }: OidcSettings) {
  // If the issuer does not answer within five seconds, the sign-in fails, so that the user can use a password instead.
  return { [oauth.allowInsecureRequests]: issuer.startsWith("http:"), signal: AbortSignal.timeout(5_000) };
}

function refusalReason(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    if (error.error === "access_denied") return "The issuer did not let you in.";
    return `The issuer refused: ${error.error_description ?? error.error}`;
  }
  return "The issuer’s answer does not belong to this sign-in. Sign in again.";
}
