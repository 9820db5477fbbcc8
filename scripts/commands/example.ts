import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "@reports/testing";
import { checkExample, deployExample } from "../packages/check-example.ts";
import { compareFiles, type ReadFile, type SavedReports } from "../packages/compare-files.ts";
import { runProgram } from "../packages/run-program.ts";
import { startFromReadme } from "../packages/start-from-readme.ts";
import { CommandFailure, runCommand } from "@reports/commands";

const root = join(import.meta.dirname, "../..");
const reader = join(root, "scripts/packages/read_report_files.py");
/** Environment of npm. NODE_OPTIONS is empty as outside of this repository, so that Node does not load the sources of core. */
const environment = { ...process.env, NODE_OPTIONS: "", npm_config_audit: "false", npm_config_fund: "false" };

await runCommand(async () => {
  const started = performance.now();
  const say = (sentence: string): void =>
    void process.stderr.write(`${sentence} (${Math.round((performance.now() - started) / 1_000)} s)\n`);
  const folder = await mkdtemp(join(await realpath(tmpdir()), "reports-example-"));
  try {
    await followReadme(folder, say);
    say("The example works.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function followReadme(folder: string, say: (sentence: string) => void): Promise<void> {
  const acme = join(folder, "acme");
  const project = join(acme, "reports");
  const files = join(folder, "files");
  const port = await findFreePort();
  const [install, start, makeView, first, client] = await readCommands((commands) =>
    commands.replaceAll("../acme", acme).replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`),
  );
  const paste = async (commands: string, at: string): Promise<string> =>
    runProgram({ folder: at, environment }, "bash", ["-euo", "pipefail", "-c", commands]);
  await Promise.all([mkdir(acme), mkdir(files)]);

  say("Making the packages and the project, and running its tests.");
  await paste(install, root);
  say("Checking its types elsewhere, and running its tests on Node 22.");
  await checkExample(project, environment);
  say("Starting the gateway with it.");
  await using gateway = await startFromReadme(`${start.trim()} -- --data '${join(folder, "data")}'`, {
    cwd: root,
    environment: { ...environment, PORT: String(port), LOG_LEVEL: "error" },
  });
  const filled = (commands: string): string =>
    commands
      .replace("DATABASE_URL", gateway.databaseUrl)
      .replace(/(reader:|PASSWORD=)PASSWORD/, `$1${gateway.readerPassword}`);
  say("Making its view, and the first report.");
  await paste(filled(makeView), root);
  await paste(filled(first), files);
  say("Saving reports by its client.");
  const printed = JSON.parse(await paste(filled(client).replace(/\.\s*$/, `'${files}'`), project)) as SavedReports;
  say("Opening their files.");
  const read = JSON.parse(await runProgram({ folder }, "python3", [reader, files])) as Record<string, ReadFile>;
  const faults = compareFiles(printed, read, await readFile(join(files, "overdue.csv"), "utf8"));
  if (faults.length > 0) throw new CommandFailure(`The example's reports are not right:\n${faults.join("\n")}`);
  say("Installing its tarball as an image does.");
  await deployExample(acme, project, environment);
}

/** Returns the command blocks of the example's README, in order. */
async function readCommands(
  adapt: (commands: string) => string,
): Promise<[install: string, start: string, makeView: string, first: string, client: string]> {
  const readme = await readFile(join(root, "examples/acme-reports/README.md"), "utf8");
  const [install, start, makeView, first, client, ...others] = [...readme.matchAll(/^```sh\n([^]*?)^```/gm)].map(
    ([, commands]) => adapt(commands!),
  );
  if (client === undefined || others.length > 0)
    throw new CommandFailure("The example's README must have exactly five command blocks.");
  return [install!, start!, makeView!, first!, client];
}
