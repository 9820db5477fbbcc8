import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { CommandExitError, runCommand } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { runVisibly } from "../machine/run-program.ts";
import { printToStderr, startDemoDataStand } from "./command-stand.ts";
import { makeReportPerFormat, type CompletedReportFile } from "./ended-reports.ts";

const version = "4.32.5";
const packages = join(checkoutFolder, `node_modules/.cache/schemathesis-${version}`);

/** Zero removes a limit. The trial sends so many requests that the defaults would refuse most of them. */
const raisedLimits = {
  START_LIMIT_PER_MINUTE: "0",
  UNFINISHED_REPORT_LIMIT: "0",
  LOGIN_FAILURE_LIMIT_PER_MINUTE: "0",
  ACCOUNT_FAILURE_LIMIT_PER_MINUTE: "0",
  READ_LIMIT_PER_MINUTE: "0",
  OVERLOAD_QUEUE_LENGTH: "0",
  OVERLOAD_QUEUE_AGE_SECONDS: "0",
};

await runCommand(async ({ args }) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { short: { type: "boolean" }, seed: { type: "string" } },
    allowPositionals: true,
  });
  const seed = values.seed ?? String(randomInt(2 ** 31));
  if (!/^\d{1,10}$/.test(seed)) throw new CommandExitError("--seed must be a number that an earlier run printed.", 2);
  const program = join(packages, "bin/schemathesis");
  if (!existsSync(program)) await install();
  const sizes = { proxies: 60, domains: 300, apis: 1, workers: 1 };
  await using stand = await startDemoDataStand({ ...sizes, environment: raisedLimits });
  const files = await makeReportPerFormat(stand);
  await using folder = await mkdtempDisposable(join(tmpdir(), "schemathesis-"));
  const downloads = join(folder.path, "downloads");
  await writeFile(downloads, "");
  printToStderr(
    `Seed ${seed}. To repeat the same requests: pnpm try schemathesis${values.short === true ? " --short" : ""} --seed ${seed}`,
  );
  const options = [
    "--config-file",
    join(checkoutFolder, "schemathesis.toml"),
    "run",
    `${stand.origin}/openapi.json`,
    "--header",
    `Authorization: Bearer ${stand.token()}`,
    "--max-examples",
    values.short === true ? "8" : "100",
    "--seed",
    seed,
    ...positionals,
  ];
  const code = await run(program, options, {
    SCHEMATHESIS_HOOKS: "schemathesis_hooks",
    SCHEMATHESIS_FILES: JSON.stringify(files),
    SCHEMATHESIS_DOWNLOADS: downloads,
  });
  const downloaded = (await readFile(downloads, "utf8")).split("\n");
  if (code !== 0) throw new CommandExitError(`schemathesis found problems: see above. Seed ${seed}.`, 1);
  refuseUnlessDownloaded(files, downloaded);
});

function refuseUnlessDownloaded(files: readonly CompletedReportFile[], downloaded: readonly string[]): void {
  const missing = files.map(({ mediaType }) => mediaType).filter((mediaType) => !downloaded.includes(mediaType));
  if (missing.length > 0) throw new CommandExitError(`No file of ${missing.join(", ")} was downloaded.`, 1);
}

async function install(): Promise<void> {
  process.stderr.write("Installing schemathesis, once.\n");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", packages];
  if ((await run("python3", [...pip, `schemathesis==${version}`])) !== 0)
    throw new CommandExitError("schemathesis cannot be installed: see above. It needs python3 with pip.", 1);
}

async function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<number> {
  const python = { PYTHONPATH: [packages, import.meta.dirname].join(delimiter), PYTHONDONTWRITEBYTECODE: "1" };
  const variables = { ...process.env, ...python, ...environment };
  return runVisibly({ folder: checkoutFolder, environment: variables }, program, args);
}
