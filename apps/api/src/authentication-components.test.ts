import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { closeServer, createLogger, createMetrics } from "@reports/runtime";
import { unlimitedLoginThrottle } from "@reports/core/caller";
import request from "supertest";
import { expect, test } from "vitest";
import { composeAuthentication } from "./compose-authentication.ts";
import { readApiConfig } from "./config.ts";
import { registerPasswordCheckCounter, createKeySetFailureLog } from "./authentication-metrics.ts";
import { startApiUnderTest } from "./test/api-under-test.ts";

test("if a token's keys cannot be fetched, it gets a 503, and no password is logged", async () => {
  const issuer = createServer((_, response) => response.writeHead(500).end("oops")).listen(0, "127.0.0.1");
  await once(issuer, "listening");
  const { port } = issuer.address() as AddressInfo;
  const lines: string[] = [];
  const metrics = createMetrics();
  const logger = createLogger({ name: "api", level: "info", destination: { write: (line) => void lines.push(line) } });
  const config = readApiConfig({
    DATABASE_URL: "postgres://localhost/reports",
    STORAGE_DIR: "/nowhere",
    AUTH_JWKS_URL: `http://client:hidden@127.0.0.1:${port}/keys`,
    AUTH_ISSUER: "https://issuer.example",
    AUTH_AUDIENCE: "reports",
  });
  const { authenticate } = composeAuthentication(config, {
    users: { find: async () => null },
    throttle: unlimitedLoginThrottle,
    onKeySetFailure: createKeySetFailureLog(metrics, logger),
    onPasswordCheck: registerPasswordCheckCounter(metrics),
  });
  // The API verifies RS256 tokens with the issuer's public keys, so this token makes it fetch the keys.
  const token = `${Buffer.from('{"alg":"RS256","kid":"one"}').toString("base64url")}.e30.c2ln`;
  try {
    await expect(
      authenticate(`Bearer ${token}`, { address: "192.0.2.1", basicOnly: false, onLogin: () => undefined }),
    ).rejects.toMatchObject({
      kind: "unavailable",
      code: "issuer-unavailable",
    });
  } finally {
    await closeServer(issuer, AbortSignal.timeout(1_000));
  }
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("the issuer's keys cannot be fetched");
  expect(lines[0]).not.toContain("hidden");
  expect((await metrics.render()).body).toContain("reports_auth_key_set_failures_total 1");
});

test("with TRUSTED_PROXY_HOPS=0, X-Forwarded-For causes one warning in the log", async () => {
  const warning = expect.objectContaining({ level: "warn", msg: expect.stringContaining("TRUSTED_PROXY_HOPS=0") });
  await using api = await startApiUnderTest();
  await request(api.listener).get("/health/live");
  expect(api.lines).not.toContainEqual(warning);
  for (let time = 0; time < 3; time++) {
    await request(api.listener).get("/health/live").set("X-Forwarded-For", "203.0.113.9");
  }
  expect(api.lines.filter((line) => String(line["msg"]).includes("TRUSTED_PROXY_HOPS"))).toEqual([warning]);
  await using trusting = await startApiUnderTest({ trustedProxyHops: 1 });
  await request(trusting.listener).get("/health/live").set("X-Forwarded-For", "203.0.113.9");
  expect(trusting.lines).not.toContainEqual(warning);
});
