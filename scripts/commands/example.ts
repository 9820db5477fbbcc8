import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { hashPassword } from "@reports/auth";
import { createDatabase, createUserStore } from "@reports/db";
import { compareFiles, type ReadFile, type SavedReports } from "../packages/compare-files.ts";
import { checkExample, deployExample, installExample } from "../packages/install-example.ts";
import { packPublished } from "../packages/published-packages.ts";
import { runProgram } from "../packages/run-program.ts";
import { CommandFailure, runCommand } from "./command-line.ts";
import { startApi } from "./running-api.ts";

const help = `Usage: pnpm example

Packs the published packages, copies examples/acme-reports out of the repository, installs the packages in it with plain npm, checks its types
twice, runs its tests on Node 22 and on this Node, and installs it where an unmodified API and worker load it. Then its client starts a report
of each type in each format and saves the files, which are opened by readers that are none of this repository.

Needs npm, python3 with openpyxl, psql, qpdf and pdftotext.

Exit codes: 0 all went well, 1 something did not, 2 wrong usage.
`;

const program = join(import.meta.dirname, "../packages/read_report_files.py");

await runCommand(async ({ args }) => {
  const { values } = parseArgs({ args: [...args], options: { help: { type: "boolean", short: "h" } } });
  if (values.help === true) return void process.stdout.write(help);
  const started = performance.now();
  const say = (sentence: string): void =>
    void process.stderr.write(`${sentence} (${Math.round((performance.now() - started) / 1_000)} s)\n`);
  const folder = await mkdtemp(join(await realpath(tmpdir()), "reports-example-"));
  try {
    say("Packing what is published.");
    const packed = await packPublished(join(folder, "tarballs"));
    say("Installing the example.");
    const project = await installExample(folder, packed);
    say("Checking its types, and running its tests.");
    await checkExample(project);
    say("Deploying it.");
    const deployment = await deployExample(folder, project, packed);
    await useExample(folder, project, deployment, say);
    say("The example works.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Serves the example's report types, saves a file of each in each format by its client, and opens all of them. */
async function useExample(
  folder: string,
  project: string,
  deployment: string,
  say: (sentence: string) => void,
): Promise<void> {
  const sql = join(project, "sql/invoices.sql");
  await using api = await startApi({
    proxies: 10,
    domains: 20,
    worker: true,
    onProgress: say,
    environment: { REPORT_TYPES: "@acme/reports", REPORT_TYPES_DIR: deployment },
    prepare: async (url) =>
      void (await runProgram({ folder }, "psql", ["--quiet", "--set", "ON_ERROR_STOP=1", "--file", sql, url])),
  });
  const password = await createCaller(api.databaseUrl);
  const files = join(folder, "files");
  await mkdir(files);
  say("Saving reports by its client.");
  const environment = {
    ...process.env,
    NODE_OPTIONS: "",
    REPORTS_URL: api.url,
    REPORTS_USER: "acme",
    REPORTS_PASSWORD: password,
  };
  const client = ["client/save-reports.ts", files];
  const told = JSON.parse(await runProgram({ folder: project, environment }, process.execPath, client)) as SavedReports;
  say("Opening their files.");
  const read = JSON.parse(await runProgram({ folder }, "python3", [program, files])) as Record<string, ReadFile>;
  const faults = compareFiles(told, read);
  if (faults.length > 0) throw new CommandFailure(`The example's reports are not right:\n${faults.join("\n")}`);
}

async function createCaller(databaseUrl: string): Promise<string> {
  const password = randomBytes(12).toString("base64url");
  const database = createDatabase({ url: databaseUrl });
  try {
    const authorities = ["REPORT_INVOICE", "REPORT_STOCK_LEVEL"];
    await createUserStore(database).create({ name: "acme", passwordHash: await hashPassword(password), authorities });
  } finally {
    await database.close();
  }
  return password;
}
