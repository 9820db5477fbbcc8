import { createGateway } from "@reports/client";
import { waitFor } from "@reports/testing";
import { trialCallerAuthorities, trialCallerNames } from "./callers.ts";
import type { PlatformTrialContext } from "./install-and-upgrade.ts";

/**
 * Milliseconds after which each API instance requests the key set again for an unknown key. An instance waits 30 s after its last request. That
 * request may have got its answer before the new key was published, and may have ended later.
 */
const keySetCooldownMs = 40_000;

/**
 * Makes the API accept the tokens of an issuer in addition to those signed with its secret, and starts a caller with such tokens. Then publishes a
 * new key. Returns functions that complete the rotation of the key, and that remove the secret and then return to it.
 * docs/guides/running/rotate-secrets.md describes these steps.
 */
export async function acceptIssuerTokens({ platform, load, callers }: PlatformTrialContext) {
  const { deployment, issuer } = platform;
  const [name] = trialCallerNames;
  const gateway = createGateway({
    baseUrl: platform.url,
    fetch: load.fetch,
    token: () => issuer.token(name, trialCallerAuthorities),
  });
  load.begin("tokens of an issuer too, 2 restarts");
  await deployment.change("api", issuer.variables);
  await deployment.roll("api");
  await load.makeReport(gateway, "A report of a caller of the issuer");
  const stopCaller = load.start([gateway]);
  issuer.publish("2");
  const mayBeReadAt = Date.now() + keySetCooldownMs;
  return {
    async completeRotation(): Promise<void> {
      await waitFor(() => Date.now() > mayBeReadAt, { what: "the next read of the key set" });
      load.begin("the issuer signs with its new key");
      issuer.signWith("2");
      await load.makeReport(gateway, "A report with a token under the new key");
      issuer.keepOnly("2");
      await load.makeReport(gateway, "A report without the old key");
      await stopCaller();
    },
    async removeSecret(): Promise<void> {
      const { AUTH_JWT_SECRET: secret = "" } = await deployment.read("api");
      load.begin("only tokens of the issuer, 2 restarts");
      const stop = load.start([gateway]);
      await deployment.change("api", { AUTH_JWT_SECRET: null });
      await deployment.roll("api");
      load.begin("tokens under a secret again, 2 + 2 restarts");
      await deployment.change("api", { AUTH_JWT_SECRET: secret });
      await deployment.roll("api");
      await load.makeReport(callers[0]!, "A report with a token under the secret again");
      await stop();
      await deployment.change("api", { AUTH_JWKS_URL: null });
      await deployment.roll("api");
      await load.makeReport(callers[0]!, "A report without the issuer");
    },
  };
}
