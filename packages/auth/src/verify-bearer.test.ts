import { SignJWT, UnsecuredJWT, exportJWK, generateKeyPair } from "jose";
import type { JWTPayload } from "jose";
import { expect, test, vi } from "vitest";
import { createTokenIssuer } from "./issue-token.ts";
import { createIssuerKeys } from "./jwks.ts";
import { createBearerVerifier } from "./verify-bearer.ts";

const secret = "a-secret-that-is-long-enough-for-hs256";
const second = "another-secret-that-is-long-enough-too";
const key = (text: string) => new TextEncoder().encode(text);
const now = () => Math.floor(Date.now() / 1000);

function claims(change: Record<string, unknown> = {}): JWTPayload {
  const all = {
    sub: "alice",
    iss: "https://issuer.example",
    aud: "reports",
    iat: now(),
    exp: now() + 300,
    authorities: ["REPORT_PROXY"],
    ...change,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
const sign = (payload: JWTPayload, by = secret, alg = "HS256") =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(key(by));
const verifier = createBearerVerifier({
  secrets: [secret, second],
  issuer: "https://issuer.example",
  audience: "reports",
});

test("a good token gives a principal that is namespaced by its issuer", async () => {
  expect(await verifier(await sign(claims()))).toEqual({
    id: "https://issuer.example|alice",
    kind: "bearer",
    authorities: new Set(["REPORT_PROXY"]),
  });
});

test("the second secret verifies too, so that secrets can be rotated", async () => {
  expect(await verifier(await sign(claims(), second))).not.toBeNull();
});

test.each<[string, Record<string, unknown>]>([
  ["without exp", { exp: undefined }],
  ["without iat", { iat: undefined }],
  ["without sub", { sub: undefined }],
  ["with an empty sub", { sub: "" }],
  ["that has expired", { exp: now() - 120 }],
  ["that is not valid yet", { nbf: now() + 3600 }],
  ["issued in the future", { iat: now() + 3600, exp: now() + 7200 }],
  ["older than a day although it lives for ten years", { iat: now() - 90_000, exp: now() + 315_360_000 }],
  ["of another issuer", { iss: "https://other.example" }],
  ["for another audience", { aud: "billing" }],
  ["whose exp is a text", { exp: "tomorrow" }],
  ["with a control character in sub", { sub: "ali\u0000ce" }],
  ["with half a surrogate pair in sub", { sub: "ali\ud800ce" }],
  ["with a sub of 256 characters", { sub: "a".repeat(256) }],
])("a token %s is refused", async (_, change) => {
  expect(await verifier(await sign(claims(change)))).toBeNull();
});

test.each<[string, () => Promise<string> | string]>([
  ["unsigned", () => new UnsecuredJWT(claims()).encode()],
  ["signed with another secret", () => sign(claims(), "a-secret-that-nobody-ever-configured-here")],
  ["signed by another algorithm of the same key", () => sign(claims(), secret.repeat(2), "HS512")],
  ["cut in half", async () => (await sign(claims())).slice(0, 60)],
  ["not a token", () => "x.y.z"],
  ["larger than 8 KiB", () => sign(claims({ filler: "x".repeat(9000) }))],
])("a token that is %s is refused", async (_, make) => {
  expect(await verifier(await make())).toBeNull();
});

test.each([
  ["a text", "REPORT_PROXY REPORT_PROXY_DOMAIN"],
  ["an object", { REPORT_PROXY: true }],
  ["an array that holds a number", ["REPORT_PROXY", 1]],
  ["missing", undefined],
])("an authorities claim that is %s grants nothing", async (_, authorities) => {
  expect((await verifier(await sign(claims({ authorities }))))?.authorities).toEqual(new Set());
});

test.each<[string, Record<string, unknown>]>([
  ["its end", { iat: now() - 300, exp: now() + 60 }],
  ["the longest age", { iat: now() - 24 * 3600 + 60, exp: now() + 3600 }],
])("a token that was verified is believed until %s, and not for a moment longer", async (_, change) => {
  let ahead = 0;
  const later = createBearerVerifier({ secrets: [secret], rememberMs: 3_600_000, now: () => Date.now() + ahead });
  const token = await sign(claims(change));
  expect(await later(token)).toMatchObject({ id: "https://issuer.example|alice" });
  expect(await later(`${token.slice(0, -4)}AAAA`)).toBeNull();
  // The clock's tolerance of 30 s counts, for remembered tokens as for others.
  const tolerated = 30_000 + 60_000;
  ahead = tolerated - 5_000;
  expect(await later(token)).toMatchObject({ id: "https://issuer.example|alice" });
  ahead = tolerated + 1_000;
  expect(await later(token)).toBeNull();
});

test.each([
  ["expired 25 s ago", { exp: now() - 25 }, true],
  ["expired 35 s ago", { exp: now() - 35 }, false],
  ["is valid in 25 s", { nbf: now() + 25 }, true],
  ["is valid in 35 s", { nbf: now() + 35 }, false],
])("clocks may differ by 30 s: a token that %s", async (_, change, isGood) => {
  expect((await verifier(await sign(claims({ iat: now() - 300, ...change })))) !== null).toBe(isGood);
});

test("a token that was verified is not believed for longer than half a minute after its key is known to be withdrawn", async () => {
  let ahead = 0;
  let fetches = 0;
  const pair = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256" };
  const later = createBearerVerifier({
    jwksUrl: new URL("https://issuer.example/jwks"),
    fetch: async () => {
      fetches++;
      return Response.json({ keys: fetches === 1 ? [jwk] : [] });
    },
    now: () => Date.now() + ahead,
  });
  const token = await new SignJWT(claims({ exp: now() + 7200 }))
    .setProtectedHeader({ alg: "ES256", kid: "one" })
    .sign(pair.privateKey);
  expect(await later(token)).not.toBeNull();
  // The keys are old now and are fetched again beside the request, which still goes by the old ones.
  ahead = 11 * 60_000;
  expect(await later(token)).not.toBeNull();
  await vi.waitFor(() => expect(fetches).toBe(2));
  ahead += 29_000;
  expect(await later(token)).not.toBeNull();
  ahead += 2_000;
  expect(await later(token)).toBeNull();
});

test("scope is split on spaces when it is the configured claim, and another claim then grants nothing", async () => {
  const scoped = createBearerVerifier({ secrets: [secret], authoritiesClaim: "scope" });
  expect((await scoped(await sign(claims({ scope: "A B" }))))?.authorities).toEqual(new Set(["A", "B"]));
  expect((await scoped(await sign(claims())))?.authorities).toEqual(new Set());
});

test("a secret below 32 bytes does not boot", () => {
  expect(() => createBearerVerifier({ secrets: ["short"] })).toThrow(/at least 32 bytes/);
});

async function issuer() {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" };
  let fetches = 0;
  const verify = createBearerVerifier({
    jwksUrl: new URL("https://issuer.example/keys"),
    fetch: async () => {
      fetches += 1;
      return Response.json({ keys: [jwk] });
    },
  });
  const token = (kid: string, header: Record<string, unknown> = {}) =>
    new SignJWT(claims()).setProtectedHeader({ alg: "RS256", kid, ...header }).sign(privateKey);
  return { verify, token, jwk, fetches: () => fetches };
}

test("an issuer's key verifies, and a thousand unknown kids fetch its keys twice at most", async () => {
  const { verify, token, fetches } = await issuer();
  expect(await verify(await token("one"))).not.toBeNull();
  const unknown = await token("unknown");
  const answers = await Promise.all(Array.from({ length: 1000 }, () => verify(unknown)));
  expect(answers.every((answer) => answer === null)).toBe(true);
  expect(fetches()).toBeLessThanOrEqual(2);
});

test("an issuer's public key cannot be used as a shared secret", async () => {
  const { verify, jwk } = await issuer();
  const forged = await new SignJWT(claims())
    .setProtectedHeader({ alg: "HS256", kid: "one" })
    .sign(key(JSON.stringify(jwk)));
  expect(await verify(forged)).toBeNull();
});

test("a key that a token brings along in its header is not believed", async () => {
  const { verify } = await issuer();
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const own = await new SignJWT(claims())
    .setProtectedHeader({ alg: "RS256", kid: "one", jwk: await exportJWK(publicKey), jku: "https://evil.example/keys" })
    .sign(privateKey);
  expect(await verify(own)).toBeNull();
});

test("a name that is too long to be kept is refused", async () => {
  const any = createBearerVerifier({ secrets: [secret] });
  expect(await any(await sign(claims({ iss: `https://${"i".repeat(1100)}` })))).toBeNull();
});

test.each(["basic:alice", "basic:"])("an issuer called %s cannot pass for one of our own users", async (iss) => {
  const any = createBearerVerifier({ secrets: [secret] });
  expect(await any(await sign(claims({ iss, sub: "x" })))).toBeNull();
});

test.each(["authorities", "scope"])(
  "a token that we issue keeps the user and their authorities (in %s)",
  async (claim) => {
    const rules = { issuer: "https://issuer.example", audience: "reports", authoritiesClaim: claim };
    const issue = createTokenIssuer({ ...rules, secret, lifetimeSeconds: 900 });
    const { token, expiresInSeconds } = await issue({
      id: "basic:alice",
      kind: "basic",
      authorities: new Set(["REPORT_PROXY", "REGISTRY_READ"]),
    });
    expect(expiresInSeconds).toBe(900);
    const verify = createBearerVerifier({ ...rules, secrets: [second, secret] });
    expect(await verify(token)).toEqual({
      id: "basic:alice",
      kind: "bearer",
      authorities: new Set(["REPORT_PROXY", "REGISTRY_READ"]),
    });
    expect(await createBearerVerifier({ ...rules, secrets: [second] })(token)).toBeNull();
  },
);

test("an issuer's keys are fetched again for a new kid, and the old ones stay while the issuer is away", async () => {
  const pairs = await Promise.all([generateKeyPair("ES256"), generateKeyPair("ES256")]);
  const jwks = await Promise.all(
    pairs.map(async ({ publicKey }, index) => ({ ...(await exportJWK(publicKey)), kid: `k${index}`, alg: "ES256" })),
  );
  let served = jwks.slice(0, 1);
  let isAway = false;
  let time = Date.now();
  const keys = createIssuerKeys(new URL("https://issuer.example/keys"), {
    fetch: async () => {
      if (isAway) throw new TypeError("fetch failed");
      return Response.json({ keys: served });
    },
    now: () => time,
  });
  const header = (kid: string) => ({ alg: "ES256", kid });
  const find = async (kid: string) => keys(header(kid), { payload: "", signature: "" });
  await expect(find("k0")).resolves.toBeDefined();
  served = jwks;
  isAway = true;
  time += 11 * 60_000;
  // The refresh that is due fails beside this, and again later; the key that is known keeps verifying.
  await expect(find("k0")).resolves.toBeDefined();
  time += 24 * 3_600_000;
  await expect(find("k0")).resolves.toBeDefined();
  isAway = false;
  time += 60_000;
  await find("k0");
  await vi.waitFor(async () => expect(await find("k1")).toBeDefined());
});
