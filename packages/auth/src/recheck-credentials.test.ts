import { DomainError } from "@reports/core/base";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { createAuthenticator } from "./authenticate.ts";
import type { Principal } from "./principal.ts";
import { createCredentialRecheck } from "./recheck-credentials.ts";
import { createBearerVerifier } from "./verify-bearer.ts";

const alice: Principal = {
  id: "basic:alice",
  kind: "basic",
  displayName: null,
  authorities: new Set(),
  endsAt: null,
};
const from = { address: "192.0.2.1", basicOnly: false };

test("the same credentials are checked once for a thousand calls, and again after 3 s", async () => {
  let checks = 0;
  let now = 1;
  const review = createCredentialRecheck(
    async () => {
      checks += 1;
      return alice;
    },
    { now: () => now },
  );
  const ask = async () => Promise.all(Array.from({ length: 1_000 }, async () => review("Basic a", from)));
  expect(new Set(await ask())).toEqual(new Set([alice]));
  await ask();
  expect(checks).toBe(1);
  await review("Basic b", from);
  expect(checks).toBe(2);
  now += 3_001;
  await review("Basic a", from);
  expect(checks).toBe(3);
});

test("four checks of credentials run at a time, and a failed one rejects its callers", async () => {
  let running = 0;
  let most = 0;
  const review = createCredentialRecheck(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    throw new DomainError("unauthenticated", "credentials-invalid", "They are wrong.");
  });
  const asked = Array.from({ length: 100 }, async (_, index) => review(`Basic ${index % 50}`, from));
  for (const { status } of await Promise.allSettled(asked)) expect(status).toBe("rejected");
  expect(most).toBe(4);
});

test("the repeated check of credentials refuses a token that expired 31 s ago", async () => {
  let now = Date.now();
  const secret = "a-secret-of-this-test-and-of-nothing-else";
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setSubject("alice")
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor(now / 1000) + 60)
    .sign(new TextEncoder().encode(secret));
  const bearer = createBearerVerifier({
    secrets: [secret],
    users: { find: async () => null },
    issuer: null,
    audience: null,
    now: () => now,
  });
  const review = createCredentialRecheck(createAuthenticator({ bearer }), { now: () => now });
  await expect(review(`Bearer ${token}`, from)).resolves.toMatchObject({ id: "jwt|alice" });
  now += 91_000;
  await expect(review(`Bearer ${token}`, from)).rejects.toMatchObject({ kind: "unauthenticated" });
});
