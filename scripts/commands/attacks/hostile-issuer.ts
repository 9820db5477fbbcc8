import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { closeServer } from "@reports/runtime";

const gibibyte = 1024 ** 3;
const chunk = Buffer.alloc(1024 ** 2, " ");

/** Ways in which an issuer gives its keys, or something else. */
export const misbehaviours = {
  "answers 500": (_, response) => response.writeHead(500).end("oops"),
  "answers HTML": (_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Welcome</h1>"),
  "answers with a redirect": (_, response) => response.writeHead(302, { Location: "http://127.0.0.1:1/keys" }).end(),
  "does not answer": () => undefined,
  "answers with a body of 1 GiB": (_, response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": gibibyte });
    let left = gibibyte;
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(chunk)) return void response.once("drain", more);
      }
      response.end();
    };
    more();
  },
} satisfies Record<string, RequestListener>;

/** An issuer on the loopback interface that does what it is told. */
export interface HostileIssuer extends AsyncDisposable {
  readonly url: string;
  /** How often its keys were asked for since it was last told. */
  readonly asked: number;
  behave(listener: RequestListener): void;
}

/** Starts it. */
export async function startIssuer(listener: RequestListener): Promise<HostileIssuer> {
  let current = listener;
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    current(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`,
    get asked() {
      return asked;
    },
    behave(next) {
      current = next;
      asked = 0;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await closeServer(server, AbortSignal.timeout(1_000));
    },
  };
}

/** A pair of keys of an issuer. */
export function createKeys(): { readonly privateKey: KeyObject; readonly jwk: Record<string, unknown> } {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { privateKey, jwk: { ...publicKey.export({ format: "jwk" }), use: "sig", alg: "RS256" } };
}

/** An access token (RFC 9068) of the issuer. */
export function signAccessToken(
  key: KeyObject,
  kid: string,
  claims: { readonly iss: string; readonly aud: string; readonly authorities: readonly string[] },
): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  const signed = `${encode({ alg: "RS256", typ: "at+jwt", kid })}.${encode({ ...claims, sub: "caller", iat: now, exp: now + 3600 })}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}
