import { ConfigurationError } from "@reports/runtime";
import { expect, test } from "vitest";
import { readApiConfig } from "./config.ts";

const minimal = { DATABASE_URL: "postgres://localhost/reports", STORAGE_DIR: "/var/reports" };
const secret = "a-secret-of-more-than-thirty-two-bytes";

test("the defaults of the contract hold where nothing is set", () => {
  const config = readApiConfig(minimal);
  expect(config).toMatchObject({
    port: 3000,
    basePath: "",
    trustedProxyHops: 0,
    coalesceGetStarts: true,
    authoritiesClaim: "authorities",
  });
});

test("every problem is listed at once", () => {
  const wrong = {
    DATABASE_URL: "mysql://x",
    PORT: "http",
    PUBLIC_BASE_PATH: "gateway/",
    AUTH_JWT_SECRET: "short",
    COALESCE_GET_STARTS: "maybe",
    AUTH_REPORT_AUTHORITIES: "PROXY",
    TRUSTED_PROXY_HOPS: "-1",
  };
  const error = failureOf(() => readApiConfig(wrong));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(String(error)).not.toContain("short");
  const problems = (error as ConfigurationError).problems.map(({ variable }) => variable);
  for (const name of [...Object.keys(wrong), "STORAGE_DIR, MINIO_ENDPOINT"]) expect(problems).toContain(name);
});

test("two secrets can be set while one of them is rotated, and three cannot", () => {
  expect(readApiConfig({ ...minimal, AUTH_JWT_SECRET: `${secret},${secret}2` }).jwtSecrets?.reveal()).toEqual([
    secret,
    `${secret}2`,
  ]);
  expect(() => readApiConfig({ ...minimal, AUTH_JWT_SECRET: `${secret},${secret},${secret}` })).toThrow(
    /AUTH_JWT_SECRET/,
  );
});

test("a shared secret and a key set exclude each other, and a key set needs its issuer", () => {
  const keys = { ...minimal, AUTH_JWKS_URL: "https://issuer.example/keys" };
  expect(() => readApiConfig({ ...keys, AUTH_ISSUER: "https://issuer.example", AUTH_JWT_SECRET: secret })).toThrow(
    /only one of them/,
  );
  expect(() => readApiConfig(keys)).toThrow(/AUTH_ISSUER: must be set too/);
  expect(readApiConfig({ ...keys, AUTH_ISSUER: "https://issuer.example" }).jwksUrl).toBe("https://issuer.example/keys");
});

test("authorities of report types can be configured", () => {
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
