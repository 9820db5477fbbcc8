import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Principal } from "@reports/auth";
import { unlimitedLoginThrottle } from "@reports/core/caller";
import { closeServer } from "@reports/runtime";
import { SignJWT, exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { composeAuthentication, type AuthenticationComponents } from "./compose-authentication.ts";
import { readApiConfig } from "./config.ts";

const secret = "a-secret-of-more-than-thirty-two-bytes";
const context = { address: "192.0.2.1", basicOnly: false, onLogin: () => undefined };
const alice: Principal = { id: "basic:alice", kind: "basic", displayName: null, authorities: new Set(), endsAt: null };
const pair = await generateKeyPair("ES256");
const issuer = createServer((_, response) => void exportJWK(pair.publicKey).then((key) => response.end(keySet(key))));
const keySet = (key: object): string => JSON.stringify({ keys: [{ ...key, kid: "one", alg: "ES256" }] });
let ofIssuer: Readonly<Record<string, string>>;

beforeAll(async () => {
  await once(issuer.listen(0, "127.0.0.1"), "listening");
  ofIssuer = {
    AUTH_JWKS_URL: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/keys`,
    AUTH_ISSUER: "https://issuer.example",
    AUTH_AUDIENCE: "reports",
  };
});
afterAll(async () => closeServer(issuer, AbortSignal.timeout(1_000)));

test("an API with AUTH_JWT_SECRET and AUTH_JWKS_URL accepts its own and issuer tokens", async () => {
  const [withSecret, withKeys, withBoth] = [
    compose({ AUTH_JWT_SECRET: secret }),
    compose(ofIssuer),
    compose({ ...ofIssuer, AUTH_JWT_SECRET: secret }),
  ];
  expect(await callerOf(withBoth, await issueToken(withSecret))).toBe("basic:alice");
  expect(await callerOf(withSecret, await issueToken(withBoth))).toBe("basic:alice");
  expect(await callerOf(withBoth, await issueToken(withBoth))).toBe("basic:alice");
  const ofPerson = await signByIssuer();
  expect(await callerOf(withBoth, ofPerson)).toBe("https://issuer.example|alice");
  expect(await callerOf(withKeys, ofPerson)).toBe("https://issuer.example|alice");
  await expect(callerOf(withKeys, await issueToken(withBoth))).rejects.toMatchObject({ code: "credentials-invalid" });
});

test.each([{ AUTH_ISSUER: "https://other.example" }, { AUTH_AUDIENCE: "billing" }])(
  "an API refuses a token that an API with another %j has issued",
  async (other) => {
    const withBoth = compose({ ...ofIssuer, AUTH_JWT_SECRET: secret });
    const elsewhere = compose({ ...ofIssuer, AUTH_JWT_SECRET: secret, ...other });
    await expect(callerOf(withBoth, await issueToken(elsewhere))).rejects.toMatchObject({
      code: "credentials-invalid",
    });
  },
);

function compose(variables: Readonly<Record<string, string>>): AuthenticationComponents {
  const config = readApiConfig({
    DATABASE_URL: "postgres://localhost/reports",
    STORAGE_DIR: "/nowhere",
    ...variables,
  });
  return composeAuthentication(config, {
    users: { find: async (name) => ({ name, passwordHash: "", authorities: [], disabledAt: null }) },
    throttle: unlimitedLoginThrottle,
    onKeySetFailure: () => undefined,
    onPasswordCheck: () => undefined,
  });
}

async function issueToken({ issueToken: issue }: AuthenticationComponents): Promise<string> {
  return (await issue!(alice)).token;
}

async function signByIssuer(): Promise<string> {
  return new SignJWT({ authorities: [] })
    .setProtectedHeader({ alg: "ES256", kid: "one" })
    .setSubject("alice")
    .setIssuer("https://issuer.example")
    .setAudience("reports")
    .setIssuedAt()
    .setExpirationTime("5 minutes")
    .sign(pair.privateKey);
}

async function callerOf({ authenticate }: AuthenticationComponents, token: string): Promise<string> {
  return (await authenticate(`Bearer ${token}`, context)).id;
}
