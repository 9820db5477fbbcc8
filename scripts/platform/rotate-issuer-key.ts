import { createGateway } from "@reports/client";
import { waitFor } from "@reports/testing";
import { callerAuthorities, callerNames } from "./callers.ts";
import type { Stages } from "./install-and-upgrade.ts";

/** Minimum ms between two requests of an API instance for the issuer's key set. */
const keySetCooldownMs = 30_000;

/**
 * Starts an API instance that accepts the tokens of an issuer, with callers of its own, and publishes a new key. Returns the function that
 * completes the rotation as docs/guides/running/rotate-secrets.md says.
 */
export async function rotateIssuerKey({ platform, load }: Stages): Promise<{ complete(): Promise<void> }> {
  const { deployment, issuer } = platform;
  load.begin("an API with an issuer, which publishes a new key");
  const api = await deployment.startExtraApi(platform.issuerVariables);
  const [name] = callerNames;
  const gateway = createGateway({
    baseUrl: api.origin,
    fetch: load.fetch,
    token: () => issuer.token(name, callerAuthorities),
  });
  await load.makeReport(gateway, "A report of a caller of the issuer");
  const stopCaller = load.start([gateway]);
  issuer.publish("2");
  const mayBeReadAt = Date.now() + keySetCooldownMs;
  return {
    async complete() {
      await waitFor(() => Date.now() > mayBeReadAt, { what: "the next read of the key set" });
      load.begin("the issuer signs with its new key");
      issuer.signWith("2");
      await load.makeReport(gateway, "A report with a token under the new key");
      issuer.keepOnly("2");
      await load.makeReport(gateway, "A report without the old key");
      await stopCaller();
      await api.stop();
    },
  };
}
