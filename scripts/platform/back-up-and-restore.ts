import type { Gateway } from "@reports/client";
import { CommandExitError } from "@reports/commands";
import { trialCallerNames, trialCallerPassword } from "./callers.ts";
import type { InstalledPlatform, PlatformTrialContext } from "./install-and-upgrade.ts";
import { downloadAndHash, type DownloadedReport } from "./caller-load.ts";

interface Backup {
  readonly reports: readonly DownloadedReport[];
  /** Time of the backup in ms since the epoch. */
  readonly at: number;
}

/**
 * Backs up database and store under load, checks the backup, and restores it to another server. The database also has a view that another database
 * user owns, because report types can read such views.
 */
export async function runBackUpGuide({ platform: { guides }, load }: PlatformTrialContext): Promise<Backup> {
  load.begin("back up, restore to another server");
  await guides.run(viewOfBilling);
  const backup = { reports: [...load.reports], at: Date.now() };
  await guides.runRest("back-up");
  await guides.runBlock("restore", "NEW_URL");
  await guides.run(readRestoredView);
  return backup;
}

export async function runRepairAndAlertGuides({ platform: { guides }, load }: PlatformTrialContext): Promise<void> {
  load.begin("repair, respond to alerts");
  await guides.run(
    `TOKEN=$(curl --silent --fail -u ${trialCallerNames[0]}:${trialCallerPassword} -X POST https://reports.example.com/v1/tokens | jq -r .access_token)`,
  );
  await guides.run(`ID=${load.reports[0]!.id}`);
  await guides.runRest("respond-to-alerts");
  await guides.runRest("repair");
}

export async function runRestoreGuide(
  { platform: { guides, deployment }, load, callers }: PlatformTrialContext,
  { webhooks }: InstalledPlatform,
  backup: Backup,
): Promise<void> {
  load.begin("restore");
  await deployment.stopAll();
  await guides.run(loseEverything);
  await guides.runRest("restore");
  await deployment.startAll();
  load.begin("after the restore");
  webhooks.forgetCreatedAfter(backup.at);
  load.start(callers);
  const rest = [...backup.reports];
  const downloadRest = async (gateway: Gateway): Promise<void> => {
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      const { id, sha256 } = next;
      const found = await load.call("download of a restored report", async (options) =>
        downloadAndHash(gateway, await gateway.reports.get(id, options), options),
      );
      if (found.sha256 !== sha256) throw new CommandExitError(`The restored file of report ${id} differs.`);
    }
  };
  await Promise.all(callers.map(downloadRest));
  await load.stop();
  await webhooks.check();
}

const viewOfBilling = `
psql --quiet --dbname='postgres://postgres@db.internal/reports' <<SQL
CREATE ROLE billing_owner;
CREATE SCHEMA billing AUTHORIZATION billing_owner;
SET ROLE billing_owner;
CREATE TABLE billing.invoices AS SELECT 42 AS amount;
CREATE VIEW billing.report_rows AS SELECT amount FROM billing.invoices;
GRANT USAGE ON SCHEMA billing TO reports_worker;
GRANT SELECT ON billing.report_rows TO reports_worker;
SQL`;

const loseEverything = `
psql --quiet --dbname="$DATABASE_URL" --command='DROP TABLE domains CASCADE' 2>dropped.txt
mc --quiet rm --recursive --force store/reports/reports >removed.txt`;

const readRestoredView = `
psql --quiet --no-align --tuples-only --dbname="$NEW_URL" --command="SET ROLE gateway_worker" \\
  --command="SELECT 'restored ' || amount FROM billing.report_rows WHERE EXISTS (SELECT FROM reports)" | grep --quiet '^restored 42$'`;
