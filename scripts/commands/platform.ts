import { inspect } from "node:util";
import { CommandExitError, runCommand } from "@reports/commands";
import { runBackUpGuide, runRepairAndAlertGuides, runRestoreGuide } from "../platform/back-up-and-restore.ts";
import { createTrialCallers } from "../platform/callers.ts";
import { acceptIssuerTokens } from "../platform/accept-issuer-tokens.ts";
import { installPlatform, runUpgradeGuide, type PlatformTrialContext } from "../platform/install-and-upgrade.ts";
import { createCallerLoad } from "../platform/caller-load.ts";
import { canStartPlatform, startPlatform, type Platform } from "../platform/start-platform.ts";
import { rotateSecrets } from "../platform/rotate-secrets.ts";
import { rejectOnAbort, printToStderr } from "./command-stand.ts";

await runCommand(async ({ signal }) => {
  if (!canStartPlatform()) return;
  await using platform = await startPlatform();
  await Promise.race([runTrial(platform), rejectOnAbort(signal)]);
});
// Without this exit, an interrupted trial would run its remaining steps against servers that are already stopped.
process.exit();

async function runTrial(platform: Platform): Promise<void> {
  const load = createCallerLoad(printToStderr);
  const problems = await runSteps({
    platform,
    load,
    callers: createTrialCallers({ baseUrl: platform.url, fetch: load.fetch }),
  }).then(
    () => [],
    (error: unknown) => [error instanceof CommandExitError ? error.message : inspect(error)],
  );
  printToStderr(load.table());
  const all = [...problems, ...load.failures, ...(await platform.deployment.findProblems())];
  if (all.length > 0) throw new CommandExitError(all.join("\n"));
  printToStderr("No call failed.");
}

async function runSteps(stages: PlatformTrialContext): Promise<void> {
  await using installed = await installPlatform(stages);
  await using callers = new AsyncDisposableStack();
  callers.defer(async () => stages.load.stop());
  await runUpgradeGuide(stages);
  const { removeOldSecrets } = await rotateSecrets(stages, installed);
  // The rotation of the secrets and that of the issuer's key must wait before their second half. The trial runs the other steps meanwhile.
  const issuer = await acceptIssuerTokens(stages);
  const backup = await runBackUpGuide(stages);
  await runRepairAndAlertGuides(stages);
  await issuer.completeRotation();
  await removeOldSecrets();
  await stages.load.stop();
  await issuer.removeSecret();
  await installed.webhooks.check();
  await installed.checkObservers();
  await runRestoreGuide(stages, installed, backup);
  stages.platform.guides.assertAllRan();
}
