import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { CommandFailure, runCommand } from "@reports/commands";
import { environmentWithGoPrograms } from "../images/go-programs.ts";

const help = `Usage: pnpm check-chart [--update]

Checks the Helm chart without a cluster: helm lint; what it makes of each set of values in deploy/chart/ci, compared with what was reviewed in
deploy/chart/golden and held to Kubernetes' schemas; values that must be refused. --update writes what it makes into golden instead, to be reviewed.

Needs helm, and python3 with kubernetes-validate, as .ci/run installs them.

Exit codes: 0 all is well, 1 something is not, 2 wrong usage.
`;

const root = join(import.meta.dirname, "../..");
const chart = join(root, "deploy/chart");
const validator = join(root, "scripts/images/validate_manifests.py");
/** The version whose schemas the validator takes; helm that was installed by Go assumes an old one. */
const kubernetes = "1.37.0";
const sets = ["least", "everything"] as const;
/** What the schema of the values, or a template, must refuse, and a word of the reason. */
const refused = [
  ["config.MINIO_ENDPOINT=s3.example.com", "MINIO_ENDPOINT"],
  ["api.replica=3", "replica"],
  ["image.api.digest=latest", "digest"],
  ["worker.concurrency=0", "concurrency"],
  ["api.config.trustedProxyHops=1", "trustedProxyHops"],
  ["reportTypes.names=acme-reports", "reportTypes.image"],
  // What the chart sets itself, or its ports and volumes would be others than those of the process.
  ["api.config.PORT=8080", "PORT is set by the chart"],
  ["api.config.SHUTDOWN_DELAY_SECONDS=1", "SHUTDOWN_DELAY_SECONDS is set by the chart"],
  ["worker.config.WORKER_PORT=4000", "WORKER_PORT is set by the chart"],
  ["config.WORKER_CONCURRENCY=8", "WORKER_CONCURRENCY is set by the chart"],
  ["config.SPOOL_DIR=/data", "SPOOL_DIR is set by the chart"],
  ["files[0].path=etc/reports,files[0].secret=ca", "path"],
  ["worker.files[0].path=/spool/files,worker.files[0].secret=ca", "path"],
  ["api.files[0].path=/etc/../app,api.files[0].secret=ca", "path"],
  ["prepare.files[0].path=/etc/reports", "secret"],
  ["keda.cooldownSeconds=300", "cooldownSeconds"],
] as const;
const environment = {
  ...environmentWithGoPrograms(),
  PYTHONPATH: [process.env["PYTHONPATH"], join(root, "node_modules/.cache/python")].filter(Boolean).join(delimiter),
};

await runCommand(async ({ args }) => {
  const { values } = parseArgs({
    args: [...args],
    options: { help: { type: "boolean", short: "h" }, update: { type: "boolean" } },
  });
  if (values.help === true) return void process.stdout.write(help);
  const alerts = await readFile(join(root, "docs/alerts.yml"), "utf8");
  for (const set of sets) {
    await mustRun("helm", [
      "lint",
      "--strict",
      "--quiet",
      "--kube-version",
      kubernetes,
      chart,
      "--values",
      valuesOf(set),
    ]);
    const made = await mustRun("helm", template(set));
    const reviewed = withoutAlerts(made, set, alerts);
    const golden = join(chart, "golden", `${set}.yaml`);
    if (values.update === true) await writeFile(golden, reviewed);
    else if (!existsSync(golden) || (await readFile(golden, "utf8")) !== reviewed)
      throw new CommandFailure(
        `The chart makes of ${valuesOf(set)} something else than ${golden}. Look at what changed: pnpm check-chart --update && git diff deploy/chart/golden`,
      );
    await mustRun("python3", [validator], made);
    await mustFail(made);
    process.stdout.write(`${set}: as reviewed, and as Kubernetes' schemas say.\n`);
  }
  for (const [setting, word] of refused) {
    const { code, output } = await run("helm", [...template("least"), "--set", setting]);
    if (code === 0 || !output.includes(word))
      throw new CommandFailure(`The chart takes ${setting}, which it should refuse:\n${output.slice(0, 2_000)}`);
  }
  process.stdout.write(`${refused.length} wrong values are refused.\n`);
});

/** The alerts are reviewed where they are written: what the chart makes of them is that text, indented. */
function withoutAlerts(made: string, set: string, alerts: string): string {
  const indented = alerts.trimEnd().replaceAll(/^(?=.)/gm, "  ");
  if (made.includes(indented) !== (set === "everything"))
    throw new CommandFailure(
      `Of ${set} the chart does not make the alerts of docs/alerts.yml where they are asked for, and only there.`,
    );
  return made.replace(indented, "  # docs/alerts.yml, indented");
}

/** The validator finds a field that does not exist: otherwise it would find nothing. */
async function mustFail(manifests: string): Promise<void> {
  const planted = manifests.replace("maxUnavailable: 1", "maxUnavailible: 1");
  const { code, output } = await run("python3", [validator], planted);
  if (planted === manifests || code !== 1 || !output.includes("maxUnavailible"))
    throw new CommandFailure(`A misspelt field of a manifest is not found:\n${output}`);
}

function valuesOf(set: string): string {
  return join(chart, "ci", `${set}-values.yaml`);
}

function template(set: string): string[] {
  return [
    "template",
    "reports",
    chart,
    "--namespace",
    "reports",
    "--kube-version",
    kubernetes,
    "--values",
    valuesOf(set),
  ];
}

async function mustRun(program: string, args: readonly string[], input = ""): Promise<string> {
  const { code, output, complaint } = await run(program, args, input);
  if (code === 0) return output;
  throw new CommandFailure(`${program} ${args.join(" ")} ended with ${code}:\n${output}${complaint}`);
}

async function run(program: string, args: readonly string[], input = "") {
  const child = spawn(program, args, { cwd: root, env: environment, stdio: "pipe" });
  const closed = once(child, "close").catch(() => {
    throw new CommandFailure(`${program} cannot be run; .ci/run installs it.`);
  });
  // Whoever ends early reads nothing.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [output, complaint, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed as Promise<[number | null]>,
  ]);
  return { code, output: code === 0 ? output : output + complaint, complaint };
}
