import { CommandFailure, runCommand } from "@reports/commands";
import { backUp, repairAndRespond, restore } from "../platform/back-up-and-restore.ts";
import { callersWithPasswords } from "../platform/callers.ts";
import { install, upgrade } from "../platform/install-and-upgrade.ts";
import { createLoad } from "../platform/load.ts";
import { hasPlatform, startPlatform } from "../platform/platform.ts";
import { rotateIssuerKey } from "../platform/rotate-issuer-key.ts";
import { rotateSecrets } from "../platform/rotate-secrets.ts";
import { say } from "./command-stand.ts";

await runCommand(async () => {
  if (!hasPlatform()) return;
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  await using platform = await startPlatform();
  const load = createLoad(say);
  const stages = { platform, load, callers: callersWithPasswords(platform.url) };
  const problems: string[] = [];
  try {
    await using installed = await install(stages);
    await upgrade(stages);
    const { removeOldSecrets } = await rotateSecrets(stages, installed);
    // Both rotations have to wait, so the other steps run meanwhile.
    const issuerKey = await rotateIssuerKey(stages);
    const backup = await backUp(stages);
    await repairAndRespond(stages);
    await issuerKey.complete();
    await removeOldSecrets();
    await load.stop();
    await installed.webhooks.check();
    await installed.checkObservers();
    await restore(stages, installed, backup);
    problems.push(...platform.guides.unfinished().map((name) => `Commands of ${name}.md have not run.`));
  } catch (error) {
    problems.push(
      error instanceof CommandFailure ? error.message : String(error instanceof Error ? error.stack : error),
    );
  }
  await load.stop();
  say(load.table());
  problems.push(...load.failures, ...(await platform.deployment.findProblems()));
  if (problems.length > 0) throw new CommandFailure(problems.join("\n"), 1);
  say("No call failed.");
});
