import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type IssuerBehaviour =
  | "as it should"
  | "denied"
  | "another state"
  | "another nonce"
  | "another code"
  | "no session";

/** A local OIDC issuer that signs every user in as the same person. Its token endpoint has another origin than its pages. */
export interface IssuerUnderTest extends AsyncDisposable {
  readonly url: string;
  readonly authorizationQueries: readonly Readonly<Record<string, string>>[];
  readonly accessTokens: readonly string[];
  setOutcome(outcome: IssuerBehaviour): void;
  setAuthorizationEndpoint(endpoint: string | null): void;
}

const jsonHeaders = { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*" };

export async function startIssuerUnderTest(options: {
  readonly clientId: string;
  readonly audience: string;
  readonly authorities: readonly string[];
}): Promise<IssuerUnderTest> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const authorizationQueries: Readonly<Record<string, string>>[] = [];
  const accessTokens: string[] = [];
  const codes = new Map<string, { readonly challenge: string; readonly nonce: string }>();
  let outcome: IssuerBehaviour = "as it should";
  let endpoint: string | null = null;

  const tokenOf = (claims: object): string => {
    const iat = Math.floor(Date.now() / 1000);
    const parts = [
      { alg: "ES256", kid: "1" },
      { iss: url, sub: "person-1", iat, exp: iat + 600, ...claims },
    ];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
    const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
    return `${text}.${signature.toString("base64url")}`;
  };

  function answerAtIssuer({ url: path = "" }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(path, url);
    if (pathname === "/.well-known/openid-configuration")
      response.writeHead(200, jsonHeaders).end(
        JSON.stringify({
          issuer: url,
          authorization_endpoint: endpoint ?? `${url}/authorize`,
          token_endpoint: `${tokens}/token`,
          jwks_uri: `${url}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["ES256"],
        }),
      );
    else if (pathname === "/keys")
      response
        .writeHead(200, jsonHeaders)
        .end(
          JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "ES256", use: "sig" }] }),
        );
    else {
      const wanted = Object.fromEntries(searchParams);
      authorizationQueries.push(wanted);
      const back = new URL(wanted["redirect_uri"]!);
      back.searchParams.set("state", outcome === "another state" ? "x" : wanted["state"]!);
      if (outcome === "denied") back.searchParams.set("error", "access_denied");
      else if (outcome === "no session" && wanted["prompt"] === "none")
        back.searchParams.set("error", "login_required");
      else {
        const code = randomUUID();
        codes.set(code, {
          challenge: outcome === "another code" ? "x" : wanted["code_challenge"]!,
          nonce: outcome === "another nonce" ? "x" : wanted["nonce"]!,
        });
        back.searchParams.set("code", code);
      }
      response.writeHead(302, { Location: back.href }).end();
    }
  }

  async function answerAtTokens(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const code = codes.get(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    codes.delete(form.get("code") ?? "");
    if (code?.challenge !== challenge) {
      const error = { error: "invalid_grant", error_description: "The code is not of this verifier." };
      response.writeHead(400, jsonHeaders).end(JSON.stringify(error));
      return;
    }
    const accessToken = tokenOf({ aud: options.audience, authorities: options.authorities });
    accessTokens.push(accessToken);
    response.writeHead(200, jsonHeaders).end(
      JSON.stringify({
        access_token: accessToken,
        token_type: "Bearer",
        expires_in: 600,
        id_token: tokenOf({ aud: options.clientId, nonce: code.nonce }),
      }),
    );
  }

  const servers = [
    createServer(answerAtIssuer),
    createServer((request, response) => void answerAtTokens(request, response)),
  ] as const;
  for (const server of servers) await once(server.listen(0, "127.0.0.1"), "listening");
  const [url = "", tokens = ""] = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    url,
    authorizationQueries,
    accessTokens,
    setOutcome: (next) => (outcome = next),
    setAuthorizationEndpoint: (next) => (endpoint = next),
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
