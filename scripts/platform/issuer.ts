import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { createServer } from "node:http";
import { listenOnLoopback } from "@reports/testing";

interface SigningKey {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const issuerAudience = "report-gateway";

export async function startIssuer() {
  let published = [createKey("1")];
  let signing = published[0]!;
  const server = createServer((_, response) => {
    const keys = published.map(({ id, publicKey }) => ({
      ...publicKey.export({ format: "jwk" }),
      kid: id,
      alg: "ES256",
      use: "sig",
    }));
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ keys }));
  });
  const { origin: url, ...disposable } = await listenOnLoopback(server);
  return {
    ...disposable,
    url,
    /** Variables with which the API accepts the issuer's tokens. */
    variables: { AUTH_JWKS_URL: `${url}/keys`, AUTH_ISSUER: url, AUTH_AUDIENCE: issuerAudience },
    /** Adds a key to the key set. The issuer continues to sign tokens with the previous key. */
    publish: (id: string): void => void (published = [...published, createKey(id)]),
    signWith: (id: string): void => void (signing = published.find((key) => key.id === id)!),
    keepOnly: (id: string): void => void (published = published.filter((key) => key.id === id)),
    token(subject: string, authorities: readonly string[], lifetimeSeconds = 60): string {
      const iat = Math.floor(Date.now() / 1000);
      const exp = iat + lifetimeSeconds;
      const claims = { iss: url, aud: issuerAudience, sub: subject, iat, exp, authorities };
      const text = [{ alg: "ES256", kid: signing.id }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
        .join(".");
      const signature = sign("sha256", Buffer.from(text), { key: signing.privateKey, dsaEncoding: "ieee-p1363" });
      return `${text}.${signature.toString("base64url")}`;
    },
  };
}

function createKey(id: string): SigningKey {
  return { id, ...generateKeyPairSync("ec", { namedCurve: "P-256" }) };
}
