import { mkdir, mkdtempDisposable, readFile, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkoutFolder as root, findFreePort, startProcess } from "@reports/testing";
import { acmeExpectedReports, findAcmeFaults, type AcmeReports } from "../packages/acme-reports.ts";
import { checkExampleProject, copyDocumentedCode, deployExamples } from "../packages/check-example-project.ts";
import { followReportTypeGuide } from "../packages/follow-report-type-guide.ts";
import { findReportFileFaults, type ParsedReportFiles } from "../packages/find-report-file-faults.ts";
import { joinStartCommands, readReadmeCommandBlocks } from "../packages/example-readme.ts";
import { findFreightFaults, readExpectedFreightReports, type FreightReports } from "../packages/freight-reports.ts";
import { runProgram } from "../machine/run-program.ts";
import { startFromReadme } from "../packages/start-from-readme.ts";
import { parseCodeBlocks } from "../test/documents/parse-page-steps.ts";
import { CommandExitError, runCommand } from "@reports/commands";
import { createTimedPrinter } from "./command-stand.ts";

const reader = join(root, "scripts/packages/read_report_files.py");
/** Environment of npm. NODE_OPTIONS is empty, because a user of the example has no option that loads core from its sources. */
const environment = { ...process.env, NODE_OPTIONS: "", npm_config_audit: "false", npm_config_fund: "false" };

await runCommand(async () => {
  const say = createTimedPrinter();
  await using folder = await mkdtempDisposable(join(await realpath(tmpdir()), "reports-example-"));
  await followReadmes(folder.path, say);
  say("Following the guide for a report type.");
  await followReportTypeGuide(folder.path, environment);
  say("The examples work.");
});

/** Runs the commands of the README that pack the client and install it in a project, and imports it there. */
async function installClientAsReadme(project: string): Promise<void> {
  const blocks = parseCodeBlocks(await readFile(join(root, "README.md"), "utf8"));
  const { code } = blocks.find(({ runner }) => runner === "pnpm try example")!;
  const commands = code.replaceAll("../my-reports", project);
  await runProgram({ folder: root, environment }, "bash", ["-euo", "pipefail", "-c", commands]);
  const program = 'await import("@reports/client")';
  await runProgram({ folder: project, environment }, process.execPath, ["--input-type=module", "--eval", program]);
}

async function followReadmes(folder: string, say: (sentence: string) => void): Promise<void> {
  const outside = join(folder, "acme");
  const acme = { name: "@acme/reports", folder: join(outside, "reports") };
  const freight = { name: "@freight/reports", folder: join(outside, "freight") };
  const files = join(folder, "files");
  const [port, fleetPort] = await Promise.all([findFreePort(), findFreePort()]);
  const acmeReadme = await readReadmeCommandBlocks("acme-reports", ["install", "start", "makeView", "first", "client"]);
  const freightNames = ["install", "fleet", "start", "makeData", "client", "former"] as const;
  const freightReadme = await readReadmeCommandBlocks("freight-reports", freightNames);
  const adapt = (commands: string): string =>
    commands
      .replaceAll("../acme", outside)
      .replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`)
      .replaceAll("127.0.0.1:4500", `127.0.0.1:${fleetPort}`);
  const paste = async (commands: string, at: string): Promise<string> =>
    runProgram({ folder: at, environment }, "bash", ["-euo", "pipefail", "-c", adapt(commands)]);
  await Promise.all([mkdir(outside), mkdir(files)]);

  say("Making the packages and the projects, and running their tests.");
  await installClientAsReadme(join(folder, "my-reports"));
  await paste(acmeReadme.install, root);
  await paste(freightReadme.install, root);
  say("Checking their types elsewhere, and running their tests on Node 22.");
  await copyDocumentedCode(join(acme.folder, "src"));
  for (const project of [acme, freight]) await checkExampleProject(project.folder, environment);
  say("Installing their tarballs as an image does.");
  const deployment = await deployExamples(outside, [acme, freight], environment);
  say("Starting the gateway with them.");
  await using fleet = startProcess({
    name: "fleet service",
    program: "bash",
    args: ["-c", `exec ${freightReadme.fleet}`],
    cwd: freight.folder,
    environment: { ...environment, PORT: String(fleetPort) },
  });
  await fleet.waitForLog("The fleet service is at");
  const start = joinStartCommands([adapt(acmeReadme.start), adapt(freightReadme.start)], deployment);
  await using gateway = await startFromReadme(`${start} -- --data '${join(folder, "data")}'`, {
    cwd: root,
    environment: { ...environment, PORT: String(port), LOG_LEVEL: "error" },
  });
  const { databaseUrl } = gateway;
  const filled = (commands: string): string =>
    commands
      .replace("DATABASE_URL", databaseUrl)
      .replace(/(reader:|PASSWORD=)PASSWORD/, `$1${gateway.readerPassword}`)
      .replace(/(client\/\S+\.ts) \.\s*$/, `$1 '${files}'`);
  say("Making their data, and the first reports.");
  await Promise.all([paste(filled(acmeReadme.makeView), root), paste(filled(freightReadme.makeData), freight.folder)]);
  await Promise.all([paste(filled(acmeReadme.first), files), paste(filled(freightReadme.former), files)]);
  say("Saving reports by their clients.");
  const [acmeOutput, freightOutput] = await Promise.all([
    paste(filled(acmeReadme.client), acme.folder),
    paste(filled(freightReadme.client), freight.folder),
  ]);
  const acmeReports = JSON.parse(acmeOutput) as AcmeReports;
  const freightReports = JSON.parse(freightOutput) as FreightReports;
  say("Opening their files.");
  const read = JSON.parse(await runProgram({ folder }, "python3", [reader, files])) as ParsedReportFiles;
  const text = async (name: string): Promise<string> => readFile(join(files, name), "utf8");
  const freightExpected = await readExpectedFreightReports(databaseUrl, `http://127.0.0.1:${fleetPort}`);
  const faults = [
    ...findReportFileFaults(acmeReports, read, acmeExpectedReports),
    ...findAcmeFaults(acmeReports, await text("overdue.csv")),
    ...findReportFileFaults(freightReports, read, freightExpected),
    ...(await findFreightFaults(freightReports, await text("hamburg.csv"), databaseUrl)),
  ];
  if (faults.length > 0) throw new CommandExitError(`The reports of the examples are not right:\n${faults.join("\n")}`);
}
