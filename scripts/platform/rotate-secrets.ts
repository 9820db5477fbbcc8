import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitFor } from "@reports/testing";
import { createTrialCallers } from "./callers.ts";
import { waitForCertificateIssuer, waitForPostgresCertIssuer } from "./server-certificates.ts";
import {
  createRandomKey,
  tokenLifetimeSeconds,
  type InstalledPlatform,
  type PlatformTrialContext,
} from "./install-and-upgrade.ts";

const page = "rotate-secrets";

/**
 * Rotates every secret as docs/guides/running/rotate-secrets.md says, but leaves the old secrets valid. Steps of several secrets share one restart.
 * Returns the function that removes the old secrets.
 */
export async function rotateSecrets(
  { platform, load }: PlatformTrialContext,
  { balancer, webhooks }: InstalledPlatform,
): Promise<{ removeOldSecrets(): Promise<void> }> {
  const { guides, deployment, certificates, folder } = platform;
  const [oldAuthority, newAuthority] = certificates.authorities;
  const { WEBHOOK_KEY: oldKey = "", AUTH_JWT_SECRET: oldSecret = "" } = await deployment.read("api");
  const [newSecret, nextKey] = [createRandomKey("hex"), createRandomKey("base64")];

  /**
   * Half of the instances use the new settings now. Each half must accept the tokens and webhook secrets of the other half, so this logs in, makes
   * reports and creates a webhook.
   */
  const halfway = async (): Promise<void> => {
    for (const gateway of createTrialCallers({ baseUrl: platform.url, fetch: load.fetch }))
      await load.makeReport(gateway, "A report with a new token");
    await webhooks.subscribe();
  };

  load.begin("webhook key, JWT secret, authority: both known");
  await guides.runBlock(page, "openssl rand -base64 32");
  await certificates.trust(oldAuthority, newAuthority);
  for (const app of ["api", "worker"] as const) await deployment.change(app, { WEBHOOK_KEY: `${oldKey},${nextKey}` });
  await deployment.change("api", { AUTH_JWT_SECRET: `${oldSecret},${newSecret}` });
  await deployment.rollBoth(halfway);

  load.begin("webhook key, JWT secret: new first; second users");
  await guides.runBlock(page, "CREATE ROLE gateway_api_2");
  await guides.runBlock(page, "admin user add root");
  const urlFiles = { api: join(folder, "api.url"), worker: join(folder, "worker.url") };
  const setPassword = async (app: "api" | "worker", url: string, variable: string): Promise<void> => {
    const login = `//gateway_${app}_2:${await guides.run(`echo "$${variable}"`)}@`;
    await writeFile(urlFiles[app], url.replace(/\/\/[^@]*@/, login));
  };
  const { DATABASE_URL: apiUrl = "" } = await deployment.read("api");
  for (const app of ["api", "worker"] as const) {
    const name = app.toUpperCase();
    await setPassword(app, apiUrl, `${name}_PASSWORD_2`);
    await deployment.change(app, {
      DATABASE_URL: null,
      DATABASE_URL_FILE: urlFiles[app],
      MINIO_ACCESS_KEY: `gateway-${app}-2`,
      MINIO_SECRET_KEY: await guides.run(`echo "$${name}_SECRET_KEY_2"`),
      WEBHOOK_KEY: `${nextKey},${oldKey}`,
    });
  }
  await deployment.change("api", { AUTH_JWT_SECRET: `${newSecret},${oldSecret}` });
  await deployment.rollBoth(halfway);
  const oldTokensEndAt = Date.now() + tokenLifetimeSeconds * 1000;
  await guides.runBlock(page, "DROP ROLE gateway_api");

  load.begin("database password in a file", { mayRetry: true });
  await guides.runBlock(page, "ALTER ROLE gateway_api_2");
  await setPassword("api", apiUrl, "API_PASSWORD_3");

  load.begin("webhook secrets sealed again");
  const isSealed = async (): Promise<boolean> => {
    const metrics = await Promise.all(
      deployment.instances
        .filter(({ app }) => app === "api")
        .map(async ({ probePort }) => (await fetch(`http://127.0.0.1:${probePort}/metrics`)).text()),
    );
    return metrics.every((text) => /^reports_webhook_secrets_under_other_keys 0$/m.test(text));
  };
  await waitFor(isSealed, { what: "all secrets to be sealed under the new key", timeoutMs: 120_000 });
  await guides.runBlock(page, "reports_webhook_secrets_under_other_keys");

  load.begin("certificates of Postgres, MinIO and nginx", { mayRetry: true });
  await certificates.issue(newAuthority);
  await platform.reloadPostgres();
  await balancer.reload();
  await Promise.all([
    waitForCertificateIssuer("nginx", platform.url, newAuthority),
    waitForCertificateIssuer("MinIO", platform.minio.endpoint, newAuthority),
    waitForPostgresCertIssuer(platform.postgres.url, newAuthority),
  ]);

  return {
    async removeOldSecrets() {
      load.begin("tokens under the old secret expire");
      await waitFor(() => Date.now() > oldTokensEndAt, { what: "the end of the old tokens", timeoutMs: 120_000 });
      load.begin("only new secrets, 2 + 2 restarts");
      await certificates.trust(newAuthority);
      for (const app of ["api", "worker"] as const) await deployment.change(app, { WEBHOOK_KEY: nextKey });
      await deployment.change("api", { AUTH_JWT_SECRET: newSecret });
      await deployment.rollBoth(halfway);
      await guides.runBlock(page, "admin user remove root");
      await guides.run(`export WEBHOOK_KEY=${nextKey}`);
      await guides.runRest(page);
    },
  };
}
