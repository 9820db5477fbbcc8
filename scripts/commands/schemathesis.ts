import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CommandFailure, runCommand, type CommandContext } from "./command-line.ts";
import { startApi } from "./running-api.ts";

const version = "4.32.5";
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Beside the other caches, so that a checkout stays clean. */
const packages = join(root, `node_modules/.cache/schemathesis-${version}`);

/** What is tried is what the API answers, not how it defends itself against so many requests. */
// Zero is no limit.
const raisedLimits = {
  START_LIMIT_PER_MINUTE: "0",
  UNFINISHED_REPORT_LIMIT: "0",
  LOGIN_FAILURE_LIMIT_PER_MINUTE: "0",
  ACCOUNT_FAILURE_LIMIT_PER_MINUTE: "0",
  READ_LIMIT_PER_MINUTE: "0",
  OVERLOAD_QUEUE_LENGTH: "0",
  OVERLOAD_QUEUE_AGE_SECONDS: "0",
};

const help = `Usage: pnpm schemathesis [--short] [-- OPTIONS OF SCHEMATHESIS]

Starts the API on demo data and lets schemathesis (PyPI, ${version}, installed at the first run) send it everything
that its own description at /openapi.json allows, and much that it does not. schemathesis.toml explains each exception.

  --short     a few examples an operation: what CI runs; the long form sends more than 10,000 requests

Exit codes: 0 nothing was found, 1 something was, 2 wrong usage.
`;

await runCommand(async ({ args }: CommandContext) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { short: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  if (values.help === true) return void process.stdout.write(help);
  const program = join(packages, "bin/schemathesis");
  if (!existsSync(program)) await install();
  const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
  await using api = await startApi({ proxies: 60, domains: 300, onProgress: say, environment: raisedLimits });
  const code = await run(program, [
    "--config-file",
    join(root, "schemathesis.toml"),
    "run",
    `${api.url}/openapi.json`,
    "--header",
    `Authorization: Bearer ${api.token}`,
    "--max-examples",
    values.short === true ? "8" : "100",
    "--seed",
    "1",
    ...positionals,
  ]);
  if (code !== 0) throw new CommandFailure("schemathesis found something: see above.", 1);
});

async function install(): Promise<void> {
  process.stderr.write("Installing schemathesis, once.\n");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", packages];
  if ((await run("python3", [...pip, `schemathesis==${version}`])) !== 0)
    throw new CommandFailure("schemathesis cannot be installed: see above. It needs python3 with pip.", 1);
}

async function run(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, PYTHONPATH: packages },
    stdio: "inherit",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code ?? 1;
}
