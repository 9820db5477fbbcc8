import { inspect } from "node:util";
import { CommandFailure, runCommand } from "@reports/commands";
import { backUp, runRepairAndAlertGuides, restore } from "../platform/back-up-and-restore.ts";
import { createCallers } from "../platform/callers.ts";
import { changeToIssuer } from "../platform/change-to-issuer.ts";
import { install, upgrade, type TrialContext } from "../platform/install-and-upgrade.ts";
import { createLoad } from "../platform/load.ts";
import { canStartPlatform, startPlatform, type Platform } from "../platform/start-platform.ts";
import { rotateSecrets } from "../platform/rotate-secrets.ts";
import { rejectOnAbort, say } from "./command-stand.ts";

await runCommand(async ({ signal }) => {
  if (!canStartPlatform()) return;
  await using platform = await startPlatform();
  await Promise.race([runTrial(platform), rejectOnAbort(signal)]);
});
// Without this exit, an interrupted trial would run its remaining steps against servers that are already stopped.
process.exit();

async function runTrial(platform: Platform): Promise<void> {
  const load = createLoad(say);
  const problems = await runSteps({
    platform,
    load,
    callers: createCallers({ baseUrl: platform.url, fetch: load.fetch }),
  }).then(
    () => platform.guides.unfinished().map((name) => `Commands of docs/guides/running/${name}.md have not run.`),
    (error: unknown) => [error instanceof CommandFailure ? error.message : inspect(error)],
  );
  say(load.table());
  const all = [...problems, ...load.failures, ...(await platform.deployment.findProblems())];
  if (all.length > 0) throw new CommandFailure(all.join("\n"));
  say("No call failed.");
}

async function runSteps(stages: TrialContext): Promise<void> {
  await using installed = await install(stages);
  await using callers = new AsyncDisposableStack();
  callers.defer(async () => stages.load.stop());
  await upgrade(stages);
  const { removeOldSecrets } = await rotateSecrets(stages, installed);
  // Both rotations have to wait before their second half. The trial runs the other steps meanwhile.
  const issuer = await changeToIssuer(stages);
  const backup = await backUp(stages);
  await runRepairAndAlertGuides(stages);
  await issuer.completeRotation();
  await removeOldSecrets();
  await stages.load.stop();
  await issuer.removeSecret();
  await installed.webhooks.check();
  await installed.checkObservers();
  await restore(stages, installed, backup);
}
