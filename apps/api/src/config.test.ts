import { ConfigurationError } from "@reports/runtime";
import { expect, test } from "vitest";
import { readApiConfig } from "./config.ts";

const minimal = { DATABASE_URL: "postgres://localhost/reports", STORAGE_DIR: "/var/reports" };
const secret = "a-secret-of-more-than-thirty-two-bytes";

test("unset variables of the API have the documented defaults", () => {
  const config = readApiConfig(minimal);
  expect(config).toMatchObject({
    port: 3000,
    basePath: "",
    trustedProxyHops: 0,
    coalesceGetStarts: true,
    reportVisibility: "type",
    authoritiesClaim: "authorities",
  });
});

test("one error lists all invalid variables of the API, without their secrets", () => {
  const wrong = {
    DATABASE_URL: "mysql://x",
    PORT: "http",
    PUBLIC_BASE_PATH: "gateway/",
    AUTH_JWT_SECRET: "short",
    COALESCE_GET_STARTS: "maybe",
    REPORT_VISIBILITY: "everybody",
    AUTH_REPORT_AUTHORITIES: "PROXY",
    TRUSTED_PROXY_HOPS: "-1",
  };
  const error = failureOf(() => readApiConfig(wrong));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(String(error)).not.toContain("short");
  const problems = (error as ConfigurationError).problems.map(({ variable }) => variable);
  for (const name of [...Object.keys(wrong), "STORAGE_DIR, MINIO_ENDPOINT"]) expect(problems).toContain(name);
});

test("AUTH_JWT_SECRET accepts two secrets, for a rotation, but not three", () => {
  expect(readApiConfig({ ...minimal, AUTH_JWT_SECRET: `${secret},${secret}2` }).jwtSecrets?.reveal()).toEqual([
    secret,
    `${secret}2`,
  ]);
  expect(() => readApiConfig({ ...minimal, AUTH_JWT_SECRET: `${secret},${secret},${secret}` })).toThrow(
    /AUTH_JWT_SECRET/,
  );
});

test.each([undefined, secret])("AUTH_JWKS_URL is refused without AUTH_ISSUER if AUTH_JWT_SECRET is %s", (jwtSecret) => {
  const keys = { ...minimal, AUTH_JWT_SECRET: jwtSecret, AUTH_JWKS_URL: "https://issuer.example/keys" };
  expect(() => readApiConfig(keys)).toThrow(/AUTH_ISSUER: must be set too/);
  const issuer = { ...keys, AUTH_ISSUER: "https://issuer.example" };
  expect(readApiConfig({ ...issuer, AUTH_AUDIENCE: "reports" }).jwksUrl?.reveal()).toBe("https://issuer.example/keys");
});

test("CONSOLE_OIDC_CLIENT_ID needs AUTH_JWKS_URL and an https AUTH_ISSUER", () => {
  const keys = { ...minimal, AUTH_JWKS_URL: "https://issuer.example/keys", AUTH_AUDIENCE: "reports" };
  const client = { CONSOLE_OIDC_CLIENT_ID: "console" };
  const issuer = { AUTH_ISSUER: "https://issuer.example" };
  expect(readApiConfig({ ...keys, ...client, ...issuer })).toMatchObject({ consoleOidcScope: "openid" });
  for (const wrong of [
    { ...minimal, ...client },
    { ...minimal, ...client, ...issuer, AUTH_JWT_SECRET: secret },
    { ...keys, ...client, AUTH_ISSUER: "issuer" },
    { ...keys, ...client, AUTH_ISSUER: "http://issuer.example", NODE_ENV: "production" },
  ])
    expect(() => readApiConfig(wrong)).toThrow(/CONSOLE_OIDC_CLIENT_ID: needs AUTH_JWKS_URL/);
});

test("AUTH_JWKS_URL needs AUTH_AUDIENCE or AUTH_ALLOW_ANY_AUDIENCE=true", () => {
  const keys = { ...minimal, AUTH_JWKS_URL: "https://issuer.example/keys", AUTH_ISSUER: "https://issuer.example" };
  expect(() => readApiConfig(keys)).toThrow(/AUTH_AUDIENCE: must be set too/);
  expect(() => readApiConfig({ ...keys, AUTH_ALLOW_ANY_AUDIENCE: "false" })).toThrow(/AUTH_AUDIENCE/);
  expect(readApiConfig({ ...keys, AUTH_ALLOW_ANY_AUDIENCE: "true" }).allowAnyAudience).toBe(true);
});

test.each([
  ["http://issuer.example/keys", false],
  ["http://127.0.0.1:8080/keys", true],
  ["https://issuer.example/keys", true],
])("with NODE_ENV=production, AUTH_JWKS_URL=%s is allowed: %s", (url, isGood) => {
  const keys = { ...minimal, AUTH_JWKS_URL: url, AUTH_ISSUER: "https://issuer.example", AUTH_AUDIENCE: "reports" };
  expect(() => readApiConfig(keys)).not.toThrow();
  const failure = failureOf(() => readApiConfig({ ...keys, NODE_ENV: "production" }));
  expect(String(failure).includes("AUTH_JWKS_URL: must begin with https")).toBe(!isGood);
});

test("an error about AUTH_JWKS_URL does not contain its password", () => {
  const error = failureOf(() =>
    readApiConfig({ ...minimal, AUTH_JWKS_URL: "ftp://client:hidden@issuer.example/keys" }),
  );
  expect(String(error)).toContain("AUTH_JWKS_URL");
  expect(String(error)).not.toContain("hidden");
});

test.each(["a".repeat(32), "abcd".repeat(10), "changeme-changeme-changeme-changeme-", "aabbccdd".repeat(4)])(
  "readApiConfig rejects the guessable AUTH_JWT_SECRET %s",
  (text) => {
    expect(() => readApiConfig({ ...minimal, AUTH_JWT_SECRET: text })).toThrow(/AUTH_JWT_SECRET: must be random/);
  },
);

test("readApiConfig rejects limits of lists and bodies that are out of range", () => {
  const defaults = readApiConfig(minimal);
  expect([defaults.listTimeoutSeconds, defaults.bodyBytesLimit, defaults.bodyBytesLimitPerPrincipal]).toEqual([
    3,
    32 * 1024 ** 2,
    4 * 1024 ** 2,
  ]);
  const set = readApiConfig({
    ...minimal,
    LIST_TIMEOUT_SECONDS: "10",
    BODY_BYTES_LIMIT: "8MiB",
    BODY_BYTES_LIMIT_PER_PRINCIPAL: "8MiB",
  });
  expect([set.listTimeoutSeconds, set.bodyBytesLimit, set.bodyBytesLimitPerPrincipal]).toEqual([
    10,
    8 * 1024 ** 2,
    8 * 1024 ** 2,
  ]);
  for (const [name, wrong] of [
    ["LIST_TIMEOUT_SECONDS", "0"],
    ["LIST_TIMEOUT_SECONDS", "61"],
    // Less than the 256 KiB of the largest allowed request body.
    ["BODY_BYTES_LIMIT", "255KiB"],
    ["BODY_BYTES_LIMIT_PER_PRINCIPAL", "0"],
    ["BODY_BYTES_LIMIT_PER_PRINCIPAL", "33MiB"],
  ] as const)
    expect(() => readApiConfig({ ...minimal, [name]: wrong })).toThrow(new RegExp(`${name}: `));
});

test("AUTH_REPORT_AUTHORITIES overrides the authorities of report types", () => {
  const config = readApiConfig({ ...minimal, AUTH_REPORT_AUTHORITIES: "PROXY=MAY_SEE, PROXY_DOMAIN = MAY_SEE_TOO" });
  expect(config.reportAuthorities).toEqual({ PROXY: "MAY_SEE", PROXY_DOMAIN: "MAY_SEE_TOO" });
});

function failureOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

test("CONSOLE_OIDC_CLIENT_ID must differ from AUTH_AUDIENCE unless tokens are at+jwt", () => {
  const issuer = { ...minimal, AUTH_JWKS_URL: "https://issuer.example/keys", AUTH_ISSUER: "https://issuer.example" };
  const same = { ...issuer, AUTH_AUDIENCE: "reports", CONSOLE_OIDC_CLIENT_ID: "reports" };
  expect(() => readApiConfig(same)).toThrow(/CONSOLE_OIDC_CLIENT_ID: must differ from AUTH_AUDIENCE/);
  expect(readApiConfig({ ...same, AUTH_TOKEN_TYPE: "at+jwt" }).tokenType).toBe("at+jwt");
  expect(readApiConfig({ ...same, CONSOLE_OIDC_CLIENT_ID: "console" }).tokenType).toBeUndefined();
  expect(() => readApiConfig({ ...same, AUTH_TOKEN_TYPE: "JWT" })).toThrow(/AUTH_TOKEN_TYPE: must be at\+jwt/);
});

test("AUTH_TOKEN_MAX_AGE_SECONDS is a day by default, never below the token lifetime", () => {
  expect(readApiConfig(minimal).maxTokenAgeSeconds).toBe(86_400);
  const ages = { ...minimal, AUTH_TOKEN_LIFETIME_SECONDS: "900", AUTH_TOKEN_MAX_AGE_SECONDS: "900" };
  expect(readApiConfig(ages).maxTokenAgeSeconds).toBe(900);
  expect(() => readApiConfig({ ...ages, AUTH_TOKEN_MAX_AGE_SECONDS: "899" })).toThrow(
    /AUTH_TOKEN_MAX_AGE_SECONDS: must be at least AUTH_TOKEN_LIFETIME_SECONDS/,
  );
});
