import { DomainError } from "@reports/core/base";
import { unlimitedLoginThrottle } from "@reports/core/caller";
import { expect, test } from "vitest";
import { createAuthenticator } from "./authenticate.ts";
import { createBearerVerifier } from "./verify-bearer.ts";
import { createBasicVerifier } from "./verify-basic.ts";

const users = { find: async () => null };
const authenticate = createAuthenticator({
  bearer: createBearerVerifier({
    secrets: ["a-secret-that-is-long-enough-for-hs256"],
    users,
    issuer: null,
    audience: null,
  }),
  basic: createBasicVerifier({ users, throttle: unlimitedLoginThrottle }),
});

const context = { address: "192.0.2.1", basicOnly: false, onLogin: () => undefined };

test.each([undefined, ""])(
  "a missing Authorization header (%s) has another code than wrong credentials",
  async (header) => {
    await expect(authenticate(header, context)).rejects.toMatchObject({
      kind: "unauthenticated",
      code: "credentials-missing",
    });
  },
);

test.each([
  "Bearer",
  "Bearer a b",
  "Bearer x.y.z",
  "Digest abc",
  "Basic !!",
  "Basic bWFsbG9yeTp4",
  "Bearer a, Basic b",
  "bearer",
])("the Authorization header %s gets the same error as wrong credentials", async (header) => {
  const error: unknown = await authenticate(header, context).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DomainError);
  expect(error).toMatchObject({ kind: "unauthenticated", code: "credentials-invalid" });
  expect(String(error)).not.toContain("mallory");
});
