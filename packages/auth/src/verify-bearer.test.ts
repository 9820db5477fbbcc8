import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SignJWT, UnsecuredJWT, exportJWK, generateKeyPair, type JWTPayload } from "jose";
import type { DomainError } from "@reports/core/base";
import { expect, test, vi } from "vitest";
import { createTokenIssuer } from "./issue-token.ts";
import { createIssuerKeys, type FetchFunction } from "./key-set.ts";
import type { LocalUser } from "./user-directory.ts";
import { createBearerVerifier } from "./verify-bearer.ts";

const secret = "a-secret-that-is-long-enough-for-hs256";
const second = "another-secret-that-is-long-enough-too";
const key = (text: string) => new TextEncoder().encode(text);
/** Time limit in ms for waits on the background refresh of keys, which no request awaits. */
const patience = { timeout: 45_000 };
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
const nobody = { find: async () => null };
const keysUrl = new URL("https://issuer.example/keys");
const issuerKeys = (fetch: FetchFunction, now?: () => number, failures: unknown[] = []) =>
  createIssuerKeys(keysUrl, {
    fetch,
    onFailure: (error) => failures.push(error),
    ...(now === undefined ? {} : { now }),
  });
const anywhere = { issuer: null, audience: null };
const verifier = createBearerVerifier({
  secrets: [secret, second],
  users: nobody,
  issuer: "https://issuer.example",
  audience: "reports",
});

test("a valid token returns a principal whose ID begins with the issuer", async () => {
  expect(await verifier(await sign(claims()))).toEqual({
    id: "https://issuer.example|alice",
    kind: "bearer",
    displayName: null,
    authorities: new Set(["REPORT_PROXY"]),
    endsAt: expect.any(Date),
  });
});

test.each<[unknown, string | null]>([
  ["Ann Example", "Ann Example"],
  [" Ann\n\tExample ", "Ann Example"],
  ["Ann\u0000 Ex\u001bample\ud800", "Ann Example"],
  ["\u202eAnn\u2069 Example\u200f", "Ann Example"],
  ["مها الأنصاري", "مها الأنصاري"],
  // The name contains a zero-width non-joiner (U+200C), which Persian spelling needs.
  ["می\u200cنا", "می\u200cنا"],
  ["n".repeat(200), "n".repeat(200)],
  ["n".repeat(201), null],
  ["", null],
  [" \u200b\u3164", null],
  [undefined, null],
  [null, null],
  [7, null],
  [["Ann"], null],
  [{ given: "Ann" }, null],
])("a token with the name %j is valid and has the display name %j", async (name, displayName) => {
  // The claims are made once for both tokens, so that their `iat` is the same even if a second ends between them.
  const without = claims();
  const [named, unnamed] = [
    await verifier(await sign(claims({ ...without, name }))),
    await verifier(await sign(without)),
  ];
  expect(named).toEqual({ ...unnamed, displayName });
});

test("the bearer verifier accepts tokens signed with the second of two secrets", async () => {
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
  ["of another issuer", { iss: "https://other.example" }],
  ["for another audience", { aud: "billing" }],
  ["with a string as exp", { exp: "tomorrow" }],
  ["with a control character in sub", { sub: "ali\u0000ce" }],
  ["with half a surrogate pair in sub", { sub: "ali\ud800ce" }],
  ["with a sub of 256 characters", { sub: "a".repeat(256) }],
])("the bearer verifier refuses a token %s", async (_, change) => {
  expect(await verifier(await sign(claims(change)))).toBeNull();
});

test("a token older than a day is refused even if it expires in ten years", async () => {
  const old = await sign(claims({ iat: now() - 90_000, exp: now() + 315_360_000 }));
  await expect(verifier(old)).rejects.toMatchObject({ kind: "unauthenticated", code: "credentials-invalid" });
});

test.each<[string, () => Promise<string> | string]>([
  ["unsigned", () => new UnsecuredJWT(claims()).encode()],
  ["signed with another secret", () => sign(claims(), "a-secret-that-nobody-ever-configured-here")],
  ["signed by another algorithm of the same key", () => sign(claims(), secret.repeat(2), "HS512")],
  ["cut in half", async () => (await sign(claims())).slice(0, 60)],
  ["not a token", () => "x.y.z"],
  ["larger than 8 KiB", () => sign(claims({ filler: "x".repeat(9000) }))],
])("the bearer verifier refuses a token that is %s", async (_, make) => {
  expect(await verifier(await make())).toBeNull();
});

test.each([
  ["a string", "REPORT_PROXY REPORT_PROXY_DOMAIN"],
  ["an object", { REPORT_PROXY: true }],
  ["an array with a number", ["REPORT_PROXY", 1]],
  ["missing", undefined],
])("an authorities claim that is %s grants no authority", async (_, authorities) => {
  expect((await verifier(await sign(claims({ authorities }))))?.authorities).toEqual(new Set());
});

test.each<[string, { iat: number; exp: number }, "unauthenticated" | null]>([
  ["it expires", { iat: -300, exp: 60 }, null],
  ["it has the maximum age", { iat: -24 * 3600 + 60, exp: 3600 }, "unauthenticated"],
])("a cached token is accepted until %s", async (_, after, end) => {
  let ahead = 0;
  // Only this test moves the clock, so that the token's times are exact however long the test takes.
  const time = Date.now();
  const issuedAt = Math.floor(time / 1_000);
  const later = createBearerVerifier({
    ...anywhere,
    secrets: [secret],
    users: nobody,
    cacheMs: 3_600_000,
    now: () => time + ahead,
  });
  const token = await sign(claims({ iat: issuedAt + after.iat, exp: issuedAt + after.exp }));
  expect(await later(token)).toMatchObject({ id: "https://issuer.example|alice" });
  expect(await later(`${token.slice(0, -4)}AAAA`)).toBeNull();
  const tolerated = 30_000 + 60_000;
  ahead = tolerated - 5_000;
  expect(await later(token)).toMatchObject({ id: "https://issuer.example|alice" });
  ahead = tolerated + 1_000;
  expect(await later(token).catch(({ kind }: DomainError) => kind)).toBe(end);
});

test.each([
  ["expired 25 s ago", "exp", -25, true],
  ["expired 35 s ago", "exp", -35, false],
  ["is valid in 25 s", "nbf", 25, true],
  ["is valid in 35 s", "nbf", 35, false],
])("the clock tolerance of 30 s applies to a token that %s", async (_, claim, seconds, isGood) => {
  // The clock stands still, so that the token's age is exact however long the test takes.
  const time = Date.now();
  const at = Math.floor(time / 1_000);
  const still = createBearerVerifier({ ...anywhere, secrets: [secret], users: nobody, now: () => time });
  const token = await sign(claims({ iat: at - 300, [claim]: at + seconds }));
  expect((await still(token)) !== null).toBe(isGood);
});

test("a cached token is refused within 30 s after its key is known to be withdrawn", async () => {
  let time = Date.now();
  let fetches = 0;
  const pair = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: "one", alg: "ES256" };
  const later = createBearerVerifier({
    ...anywhere,
    keys: issuerKeys(
      async () => {
        fetches++;
        return Response.json({ keys: fetches === 1 ? [jwk] : [] });
      },
      () => time,
    ),
    now: () => time,
  });
  const token = await new SignJWT(claims({ exp: now() + 7200 }))
    .setProtectedHeader({ alg: "ES256", kid: "one" })
    .sign(pair.privateKey);
  expect(await later(token)).not.toBeNull();
  time += 11 * 60_000;
  expect(await later(token)).not.toBeNull();
  await vi.waitFor(() => expect(fetches).toBe(2), patience);
  time += 29_000;
  expect(await later(token)).not.toBeNull();
  time += 2_000;
  expect(await later(token)).toBeNull();
});

test("authorities in the claim `scope` are split on spaces, and other claims ignored", async () => {
  const scoped = createBearerVerifier({ ...anywhere, secrets: [secret], users: nobody, authoritiesClaim: "scope" });
  expect((await scoped(await sign(claims({ scope: "A B" }))))?.authorities).toEqual(new Set(["A", "B"]));
  expect((await scoped(await sign(claims())))?.authorities).toEqual(new Set());
});

test("createBearerVerifier throws for a secret with less than 32 bytes", () => {
  expect(() => createBearerVerifier({ ...anywhere, secrets: ["short"], users: nobody })).toThrow(/at least 32 bytes/);
});

/** The key pair of all issuers, because making one takes much processor time. */
const issuerPair = generateKeyPair("RS256", { extractable: true });

async function issuer() {
  const { publicKey, privateKey } = await issuerPair;
  const jwk = { ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" };
  let fetches = 0;
  const verify = createBearerVerifier({
    ...anywhere,
    keys: issuerKeys(async () => {
      fetches += 1;
      return Response.json({ keys: [jwk] });
    }),
  });
  const token = (kid: string, header: Record<string, unknown> = {}) =>
    new SignJWT(claims()).setProtectedHeader({ alg: "RS256", kid, ...header }).sign(privateKey);
  return { verify, token, jwk, fetches: () => fetches };
}

test("a thousand tokens with an unknown key ID (kid) cause at most two fetches of keys", async () => {
  const { verify, token, fetches } = await issuer();
  expect(await verify(await token("one"))).not.toBeNull();
  const unknown = await token("unknown");
  const answers = await Promise.all(Array.from({ length: 1000 }, () => verify(unknown)));
  expect(answers.every((answer) => answer === null)).toBe(true);
  expect(fetches()).toBeLessThanOrEqual(2);
});

test("a token that is signed with the issuer's public key as a secret is refused", async () => {
  const { verify, jwk } = await issuer();
  const forged = await new SignJWT(claims())
    .setProtectedHeader({ alg: "HS256", kid: "one" })
    .sign(key(JSON.stringify(jwk)));
  expect(await verify(forged)).toBeNull();
});

test("the verifier ignores a key in the header of a token", async () => {
  const { verify } = await issuer();
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const own = await new SignJWT(claims())
    .setProtectedHeader({ alg: "RS256", kid: "one", jwk: await exportJWK(publicKey), jku: "https://evil.example/keys" })
    .sign(privateKey);
  expect(await verify(own)).toBeNull();
});

test("a token whose principal ID would be too long to store is refused", async () => {
  const any = createBearerVerifier({ ...anywhere, secrets: [secret], users: nobody });
  expect(await any(await sign(claims({ iss: `https://${"i".repeat(1100)}` })))).toBeNull();
});

test.each(["basic:alice", "basic:"])(
  "a token of the issuer %s, which could imitate a local user, is refused",
  async (iss) => {
    const any = createBearerVerifier({ ...anywhere, secrets: [secret], users: nobody });
    expect(await any(await sign(claims({ iss, sub: "x" })))).toBeNull();
  },
);

test.each(["authorities", "scope"])(
  "a token of this service has the user's current authorities (claim %s)",
  async (claim) => {
    const rules = { issuer: "https://issuer.example", audience: "reports", authoritiesClaim: claim };
    const issue = createTokenIssuer({ ...rules, secret, lifetimeSeconds: 900 });
    const { token, expiresInSeconds } = await issue({
      id: "basic:alice",
      kind: "basic",
      displayName: null,
      authorities: new Set(["REPORT_PROXY", "REGISTRY_READ"]),
      endsAt: null,
    });
    expect(expiresInSeconds).toBe(900);
    const users = { find: async (name: string) => (name === "alice" ? row : null) };
    let row: LocalUser | null = { name: "alice", passwordHash: "", authorities: ["REPORT_PROXY"], disabledAt: null };
    const verify = createBearerVerifier({ ...rules, users, secrets: [second, secret] });
    expect(await verify(token)).toEqual({
      id: "basic:alice",
      kind: "bearer",
      displayName: null,
      authorities: new Set(["REPORT_PROXY"]),
      endsAt: expect.any(Date),
    });
    expect(await createBearerVerifier({ ...rules, users, secrets: [second] })(token)).toBeNull();
    row = { ...row, authorities: ["REPORTS_ADMIN"] };
    expect((await verify(token))?.authorities).toEqual(new Set(["REPORTS_ADMIN"]));
    row = { ...row, disabledAt: new Date() };
    expect(await verify(token)).toBeNull();
    row = null;
    expect(await verify(token)).toBeNull();
  },
);

test("a new key ID causes a fetch of keys, and old keys stay while the issuer is down", async () => {
  const pairs = await Promise.all([generateKeyPair("ES256"), generateKeyPair("ES256")]);
  const jwks = await Promise.all(
    pairs.map(async ({ publicKey }, index) => ({ ...(await exportJWK(publicKey)), kid: `k${index}`, alg: "ES256" })),
  );
  let served = jwks.slice(0, 1);
  let isUnavailable = false;
  let time = Date.now();
  const keys = issuerKeys(
    async () => {
      if (isUnavailable) throw new TypeError("fetch failed");
      return Response.json({ keys: served });
    },
    () => time,
  );
  const header = (kid: string) => ({ alg: "ES256", kid });
  const find = async (kid: string) => keys.find(header(kid), { payload: "", signature: "" });
  await expect(find("k0")).resolves.toBeDefined();
  served = jwks;
  isUnavailable = true;
  time += 11 * 60_000;
  await expect(find("k0")).resolves.toBeDefined();
  time += 24 * 3_600_000;
  await expect(find("k0")).resolves.toBeDefined();
  isUnavailable = false;
  time += 60_000;
  await find("k0");
  await vi.waitFor(async () => expect(await find("k1")).toBeDefined(), patience);
});

async function keyPair(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const token = async (header: Record<string, unknown> = {}, payload: JWTPayload = claims()) =>
    new SignJWT(payload).setProtectedHeader({ alg: "ES256", kid, ...header }).sign(privateKey);
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256" }, token };
}

const huge = (onPull: (bytes: number) => void = () => undefined): Response =>
  new Response(
    new ReadableStream({
      pull(controller) {
        onPull(64 * 1024);
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
      },
    }),
  );

test.each<[string, () => Promise<Response>]>([
  ["an error", async () => new Response("oops", { status: 500 })],
  ["a page", async () => new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } })],
  ["a redirect", async () => Response.redirect("https://elsewhere.example/keys")],
  ["something without keys", async () => Response.json({ hello: "world" })],
  ["nothing in time", async () => Promise.reject(new DOMException("too late", "TimeoutError"))],
  ["more bytes than the maximum", async () => huge()],
])("if the issuer of keys answers %s, tokens get the error issuer-unavailable", async (_, answer) => {
  const failures: unknown[] = [];
  let time = Date.now();
  let fetches = 0;
  let isHealthy = false;
  const { jwk, token } = await keyPair("one");
  const keys = issuerKeys(
    async () => {
      fetches++;
      return isHealthy ? Response.json({ keys: [jwk] }) : answer();
    },
    () => time,
    failures,
  );
  const verify = createBearerVerifier({ ...anywhere, keys, now: () => time });
  const unavailable = { kind: "unavailable", code: "issuer-unavailable", retryAfterSeconds: 5 };
  const good = await token();
  await expect(verify(good)).rejects.toMatchObject(unavailable);
  await expect(verify(good)).rejects.toMatchObject(unavailable);
  expect({ state: keys.state(), fetches, failures: failures.length }).toEqual({
    state: "unavailable",
    fetches: 1,
    failures: 1,
  });
  expect(await verify("x.y.z")).toBeNull();
  isHealthy = true;
  time += 1_000;
  expect(await verify(good)).not.toBeNull();
  expect(keys.state()).toBe("ok");
});

test("the read of a key set stops at the maximum size", async () => {
  let pulledBytes = 0;
  const keys = issuerKeys(async () => huge((bytes) => (pulledBytes += bytes)));
  await keys.load();
  expect(keys.state()).toBe("unavailable");
  expect(pulledBytes).toBeLessThan(2 * 1024 * 1024);
});

test("a redirect of the key set is not followed", async () => {
  const { jwk } = await keyPair("one");
  const asked: string[] = [];
  const issuer = createServer((request, response) => {
    asked.push(request.url!);
    if (request.url === "/keys") response.writeHead(307, { Location: "/elsewhere" }).end();
    else response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ keys: [jwk] }));
  }).listen(0, "127.0.0.1");
  await once(issuer, "listening");
  const { port } = issuer.address() as AddressInfo;
  const failures: unknown[] = [];
  const keys = createIssuerKeys(new URL(`http://127.0.0.1:${port}/keys`), {
    onFailure: (error) => failures.push(error),
  });
  await keys.load();
  issuer.closeAllConnections();
  issuer.close();
  expect({ state: keys.state(), asked }).toEqual({ state: "unavailable", asked: ["/keys"] });
  expect(String(failures[0])).toContain("307 instead of 200");
});

test("a token with an unknown key is refused only while the known keys are current", async () => {
  let time = Date.now();
  let isUnavailable = false;
  const [known, unknown] = await Promise.all([keyPair("known"), keyPair("unknown")]);
  const keys = issuerKeys(
    async () => (isUnavailable ? new Response("", { status: 503 }) : Response.json({ keys: [known.jwk] })),
    () => time,
  );
  const verify = createBearerVerifier({ ...anywhere, keys, now: () => time });
  const [good, strange] = [await known.token(), await unknown.token()];
  expect(await verify(good)).not.toBeNull();
  expect(await verify(strange)).toBeNull();
  isUnavailable = true;
  time += 31_000;
  await expect(verify(strange)).rejects.toMatchObject({ code: "issuer-unavailable" });
  expect(await verify(good)).not.toBeNull();
  expect(keys.state()).toBe("stale");
});

test("the verifier tries all keys that have the same key ID (kid)", async () => {
  const pairs = await Promise.all([keyPair("same"), keyPair("same"), keyPair("same")]);
  const verify = createBearerVerifier({
    ...anywhere,
    keys: issuerKeys(async () => Response.json({ keys: pairs.slice(0, 2).map(({ jwk }) => jwk) })),
  });
  expect(await verify(await pairs[0].token())).not.toBeNull();
  expect(await verify(await pairs[1].token())).not.toBeNull();
  expect(await verify(await pairs[2].token())).toBeNull();
});

const scoped = { scope: "reports" };

test.each<[string, Record<string, unknown>, Record<string, unknown>, boolean]>([
  ["an access token", { typ: "at+jwt" }, {}, true],
  ["an access token in the long form", { typ: "application/AT+JWT" }, {}, true],
  ["a plain token", { typ: "JWT" }, {}, true],
  ["a token without a type", {}, { typ: "Bearer" }, true],
  ["a logout token", { typ: "logout+jwt" }, {}, false],
  ["a logout token with the claim `events`", {}, { events: {} }, false],
  ["a security event", { typ: "secevent+jwt" }, {}, false],
  ["a proof of possession", { typ: "dpop+jwt" }, {}, false],
  ["an ID token with the hash of its access token", { typ: "JWT" }, { at_hash: "x" }, false],
  ["an ID token with the claim `typ`", { typ: "JWT" }, { typ: "ID" }, false],
  ["a refresh token with the claim `typ`", { typ: "JWT" }, { typ: "Refresh" }, false],
  ["an ID token with only a nonce", { typ: "JWT" }, { nonce: "x" }, false],
  ["an ID token with only the time of its login", {}, { auth_time: 1 }, false],
  ["an ID token with a nonce and the client it is for", {}, { nonce: "x", azp: "console" }, false],
  ["an ID token that names its use", { typ: "JWT" }, { token_use: "id" }, false],
  ["an access token that names its use", {}, { token_use: "access", client_id: "app", auth_time: 1 }, true],
  ["an access token with the time of its login", {}, { auth_time: 1, ...scoped }, true],
  ["an access token with a nonce and a client", {}, { nonce: "x", client_id: "console" }, true],
  ["an access token with a list of scopes", {}, { auth_time: 1, cid: "app", scp: ["reports"] }, true],
  ["an access token whose type is explicit", { typ: "at+jwt" }, { auth_time: 1 }, true],
])("the verifier accepts only access tokens: %s", async (_, header, change, isGood) => {
  const { jwk, token } = await keyPair("one");
  const verify = createBearerVerifier({ ...anywhere, keys: issuerKeys(async () => Response.json({ keys: [jwk] })) });
  expect((await verify(await token(header, claims(change)))) !== null).toBe(isGood);
  const shared = createBearerVerifier({ ...anywhere, secrets: [secret], users: nobody });
  const signed = await new SignJWT(claims(change)).setProtectedHeader({ alg: "HS256", ...header }).sign(key(secret));
  expect((await shared(signed)) !== null).toBe(isGood);
});

const whole = { client_id: "app", jti: "1" };

test.each<[string, Record<string, unknown>, Record<string, unknown>, boolean]>([
  ["with the type and every claim", { typ: "at+jwt" }, whole, true],
  ["with the long form of the type", { typ: "application/at+jwt" }, whole, true],
  ["of another type", { typ: "JWT" }, whole, false],
  ["without a type", {}, whole, false],
  ["without a client", { typ: "at+jwt" }, { ...whole, client_id: undefined }, false],
  ["without an ID", { typ: "at+jwt" }, { ...whole, jti: undefined }, false],
  ["without an audience", { typ: "at+jwt" }, { ...whole, aud: undefined }, false],
  ["without an issuer", { typ: "at+jwt" }, { ...whole, iss: undefined }, false],
])("the required type at+jwt accepts only RFC 9068 tokens: %s", async (_, header, change, isGood) => {
  const { jwk, token } = await keyPair("one");
  const rules = { ...anywhere, tokenType: "at+jwt" as const };
  const verify = createBearerVerifier({ ...rules, keys: issuerKeys(async () => Response.json({ keys: [jwk] })) });
  expect((await verify(await token(header, claims(change)))) !== null).toBe(isGood);
  const shared = createBearerVerifier({ ...rules, secrets: [secret], users: nobody });
  const signed = await new SignJWT(claims(change)).setProtectedHeader({ alg: "HS256", ...header }).sign(key(secret));
  expect((await shared(signed)) !== null).toBe(isGood);
});

test("tokens of POST /v1/tokens are accepted even if the type at+jwt is required", async () => {
  const rules = { ...anywhere, tokenType: "at+jwt" as const };
  const row: LocalUser = { name: "alice", passwordHash: "", authorities: [], disabledAt: null };
  const issue = createTokenIssuer({ ...rules, secret, lifetimeSeconds: 900 });
  const alice = { id: "basic:alice", kind: "basic", displayName: null, authorities: new Set<string>(), endsAt: null };
  const { token } = await issue(alice as Parameters<typeof issue>[0]);
  const verify = createBearerVerifier({ ...rules, secrets: [secret], users: { find: async () => row } });
  expect(await verify(token)).toMatchObject({ id: "basic:alice" });
});

function rotatingIssuer(served: readonly object[]) {
  const issuer = { served, fetches: 0, isUnavailable: false, time: Date.now() };
  const keys = issuerKeys(
    async () => {
      issuer.fetches += 1;
      return issuer.isUnavailable ? new Response("", { status: 503 }) : Response.json({ keys: issuer.served });
    },
    () => issuer.time,
  );
  const verify = createBearerVerifier({ ...anywhere, keys, now: () => issuer.time, cacheMs: 0 });
  return Object.assign(issuer, { verify });
}

test("a new key with a known key ID (kid) is accepted, and the old key refused", async () => {
  const [old, fresh] = [await keyPair("same"), await keyPair("same")];
  const issuer = rotatingIssuer([old.jwk]);
  expect(await issuer.verify(await old.token())).not.toBeNull();
  issuer.served = [fresh.jwk];
  issuer.time += 31_000;
  expect(await issuer.verify(await fresh.token())).not.toBeNull();
  expect(await issuer.verify(await old.token())).toBeNull();
  expect(issuer.fetches).toBe(2);
});

test("an unusable key does not prevent the use of another with the same key ID (kid)", async () => {
  const pair = await keyPair("same");
  const broken = { ...pair.jwk, x: "AAAA" };
  const { verify } = rotatingIssuer([broken, pair.jwk]);
  expect(await verify(await pair.token())).not.toBeNull();
});

test("a new key is accepted among several with the same key ID (kid)", async () => {
  const pairs = await Promise.all([keyPair("same"), keyPair("same"), keyPair("same")]);
  const issuer = rotatingIssuer(pairs.slice(0, 2).map(({ jwk }) => jwk));
  expect(await issuer.verify(await pairs[1].token())).not.toBeNull();
  issuer.served = pairs.slice(1).map(({ jwk }) => jwk);
  issuer.time += 31_000;
  expect(await issuer.verify(await pairs[2].token())).not.toBeNull();
  expect(await issuer.verify(await pairs[0].token())).toBeNull();
});

test("a thousand forged signatures with a known key ID cause one fetch per cooldown", async () => {
  const [known, forger] = [await keyPair("same"), await keyPair("same")];
  const issuer = rotatingIssuer([known.jwk]);
  expect(await issuer.verify(await known.token())).not.toBeNull();
  const forged = await forger.token();
  issuer.time += 31_000;
  const found = await Promise.all(Array.from({ length: 1000 }, () => issuer.verify(forged)));
  expect(found.every((principal) => principal === null)).toBe(true);
  expect(issuer.fetches).toBe(2);
});

test("while the keys may be old, a wrong signature gets the error issuer-unavailable", async () => {
  const [old, fresh] = [await keyPair("same"), await keyPair("same")];
  const issuer = rotatingIssuer([old.jwk]);
  expect(await issuer.verify(await old.token())).not.toBeNull();
  issuer.isUnavailable = true;
  issuer.time += 31_000;
  await expect(issuer.verify(await fresh.token())).rejects.toMatchObject({ code: "issuer-unavailable" });
  expect(await issuer.verify(await old.token())).not.toBeNull();
});

test.each([
  ["EdDSA", "EdDSA"],
  ["Ed25519", "Ed25519"],
  ["EdDSA", undefined],
  ["Ed25519", undefined],
])("a token with the algorithm %s is verified by an Ed25519 key whose alg is %s", async (alg, keyAlg) => {
  const { publicKey, privateKey } = await generateKeyPair("Ed25519");
  const jwk = { ...(await exportJWK(publicKey)), kid: "one", ...(keyAlg === undefined ? {} : { alg: keyAlg }) };
  const verify = createBearerVerifier({ ...anywhere, keys: issuerKeys(async () => Response.json({ keys: [jwk] })) });
  const token = await new SignJWT(claims()).setProtectedHeader({ alg, kid: "one" }).sign(privateKey);
  expect(await verify(token)).not.toBeNull();
});

test("the refusal of a token above the maximum age says that the token is too old", async () => {
  const { jwk, token } = await keyPair("one");
  const rules = { ...anywhere, maxTokenAgeSeconds: 3600 };
  const tooOld = {
    kind: "unauthenticated",
    code: "credentials-invalid",
    message: "The token was issued more than 3600 seconds ago, which is the limit of this service. Get a new token.",
  };
  const payload = claims({ iat: now() - 3700, exp: now() + 3600 });
  const verify = createBearerVerifier({ ...rules, keys: issuerKeys(async () => Response.json({ keys: [jwk, jwk] })) });
  await expect(verify(await token({}, payload))).rejects.toMatchObject(tooOld);
  const shared = createBearerVerifier({ ...rules, secrets: [second, secret], users: nobody });
  await expect(shared(await sign(payload))).rejects.toMatchObject(tooOld);
  expect(await shared(await sign(payload, "a-secret-that-nobody-ever-configured-here"))).toBeNull();
  const longer = createBearerVerifier({ ...anywhere, maxTokenAgeSeconds: 4000, secrets: [secret], users: nobody });
  expect(await longer(await sign(payload))).not.toBeNull();
});

test("authorities of a token with characters that Postgres cannot store are ignored", async () => {
  const authorities = ["REPORT_PROXY", "REPORT_\0", "REPORT_\ud800", ""];
  const expected = new Set(["REPORT_PROXY"]);
  expect(await verifier(await sign(claims({ authorities })))).toMatchObject({ authorities: expected });
  const ofScope = createBearerVerifier({ secrets: [secret], users: nobody, ...anywhere, authoritiesClaim: "scope" });
  expect(await ofScope(await sign(claims({ scope: authorities.join(" ") })))).toMatchObject({ authorities: expected });
});
