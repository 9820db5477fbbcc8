import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { CommandFailure, runCommand } from "@reports/commands";
import { parse, parseAllDocuments } from "yaml";
import { environmentWithGoPrograms } from "../images/go-programs.ts";
import { chartRefusals } from "./chart-refusals.ts";
// @boundaries-ignore an app exports nothing, and its list of variables is the one that counts
import { workerEnvironment } from "../../apps/worker/src/config.ts";

const root = join(import.meta.dirname, "../..");
const chart = join(root, "deploy/chart");
const validator = join(root, "scripts/images/validate_manifests.py");
/** Kubernetes version of the validator's schemas. A helm that Go has installed assumes an old version by default. */
const kubernetes = "1.37.0";
const sets = ["least", "everything"] as const;
const gibibyte = 1024 ** 3;
const spoolMaxBytes = workerEnvironment.spoolMaxBytes.default;
/** Settings, with the reports that can run at the same time and the largest size of one. */
const spools = [
  ["worker.concurrency=1", 1, spoolMaxBytes],
  ["worker.concurrency=8", 8, spoolMaxBytes],
  ["worker.concurrency=8,worker.spool.sizeLimit=20G", 8, spoolMaxBytes],
  ["config.SPOOL_MAX_BYTES=4 GiB", 2, 4 * gibibyte],
  ["worker.concurrency=3,config.SPOOL_MAX_BYTES=4GiB,worker.config.SPOOL_MAX_BYTES=500000000", 3, 500_000_000],
] as const;
const environment = {
  ...environmentWithGoPrograms(),
  PYTHONPATH: [process.env["PYTHONPATH"], join(root, "node_modules/.cache/python")].filter(Boolean).join(delimiter),
};

await runCommand(async ({ args }) => {
  const { values } = parseArgs({ args: [...args], options: { update: { type: "boolean" } } });
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
    const reviewed = withoutAlerts(made, set, await alertsOf(set));
    const golden = join(chart, "golden", `${set}.yaml`);
    if (values.update === true) await writeFile(golden, reviewed);
    else if (!existsSync(golden) || (await readFile(golden, "utf8")) !== reviewed)
      throw new CommandFailure(
        `The output of the chart for ${valuesOf(set)} differs from ${golden}. Review the changes: pnpm try check-chart --update && git diff deploy/chart/golden`,
      );
    await mustRun("python3", [validator], made);
    await mustFail(made);
    await mustRun("python3", [validator], JSON.stringify(await podOfNotes(set)));
    await mustRefuseOwnVariables(set, made);
    process.stdout.write(`${set}: equals the reviewed output and conforms to Kubernetes' schemas.\n`);
  }
  for (const [setting, word] of chartRefusals) {
    const { code, output } = await run("helm", [...template("least"), "--set", setting]);
    if (code === 0 || !output.includes(word))
      throw new CommandFailure(`The chart accepts ${setting}, which it should refuse:\n${output.slice(0, 2_000)}`);
  }
  process.stdout.write(`${chartRefusals.length} wrong values are refused.\n`);
  await mustFollowPage();
  process.stdout.write("The command of docs/guides/running/kubernetes.md installs the chart behind a proxy.\n");
  for (const hops of [0, 1]) await mustWarnOfForwardedAddress(hops);
  for (const [setting, reports, bytes] of spools) await mustFitReports(setting, reports * bytes);
  process.stdout.write(`The spool holds all concurrent reports, for ${spools.length} settings.\n`);
});

async function alertsOf(set: string): Promise<string> {
  const alerts = await readFile(join(root, "docs/reference/alerts.yml"), "utf8");
  const { monitoring } = parse(await readFile(valuesOf(set), "utf8")) as { monitoring?: { runbookUrl?: string } };
  return alerts.replaceAll(
    '"docs/guides/running/respond-to-alerts.md#',
    `"${monitoring?.runbookUrl ?? "docs/guides/running/respond-to-alerts.md"}#`,
  );
}

/** Removes the alerts from the chart's output. Throws unless they equal docs/reference/alerts.yml, where they are reviewed. */
function withoutAlerts(made: string, set: string, alerts: string): string {
  const indented = alerts.trimEnd().replaceAll(/^(?=.)/gm, "  ");
  if (made.includes(indented) !== (set === "everything"))
    throw new CommandFailure(
      `With the values "${set}" the chart must contain the alerts of docs/reference/alerts.yml exactly if monitoring is enabled.`,
    );
  return made.replace(indented, "  # docs/reference/alerts.yml, indented");
}

interface Workload {
  kind: string;
  metadata: { labels: Record<string, string> };
  spec: {
    template: { spec: { containers: Container[]; volumes: { name: string; emptyDir?: { sizeLimit: string } }[] } };
  };
}
interface Container {
  env?: { name: string }[];
  resources: { requests: Record<string, string> };
}
type Variables = Record<string, unknown>;

/** Throws unless the chart refuses values for variables that it sets itself, which would conflict with its ports and volumes. */
async function mustRefuseOwnVariables(set: string, made: string): Promise<void> {
  const values = parse(await readFile(valuesOf(set), "utf8")) as {
    config: Variables;
    api?: { config?: Variables };
    worker?: { config?: Variables };
  };
  let found = 0;
  for (const document of parseAllDocuments(made)) {
    const { kind, metadata, spec } = document.toJS() as Workload;
    if (kind !== "Deployment") continue;
    const component = metadata.labels["app.kubernetes.io/component"] as "api" | "worker";
    const named = new Set([...Object.keys(values.config), ...Object.keys(values[component]?.config ?? {})]);
    const own = spec.template.spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name));
    for (const name of own.filter((candidate) => !named.has(candidate)))
      for (const table of ["config", `${component}.config`]) {
        const { code, output } = await run("helm", [...template(set), "--set-string", `${table}.${name}=1`]);
        if (code === 0 || !output.includes(`${name} is set by the chart`))
          throw new CommandFailure(`The chart sets ${name}, but accepts ${table}.${name}:\n${output.slice(0, 2_000)}`);
        found++;
      }
  }
  if (found === 0) throw new CommandFailure(`The chart sets no variable for ${set}.`);
}

/** Throws unless the spool has room for `bytes` and 1 to 3 GiB more. Kubernetes evicts a worker whose reports outgrow its volume. */
async function mustFitReports(setting: string, bytes: number): Promise<void> {
  const made = await mustRun("helm", [...template("least"), "--set", setting, "--show-only", "templates/worker.yaml"]);
  const deployment = parseAllDocuments(made)
    .map((document) => document.toJS() as Workload)
    .find(({ kind }) => kind === "Deployment");
  const { volumes = [], containers = [] } = deployment?.spec.template.spec ?? {};
  const volume = volumes.find(({ name }) => name === "spool")?.emptyDir?.sizeLimit;
  const request = containers[0]?.resources.requests["ephemeral-storage"];
  for (const size of [volume, request]) {
    const spare = bytesOf(size) - bytes;
    if (!(spare >= gibibyte && spare < 3 * gibibyte))
      throw new CommandFailure(
        `With ${setting} the spool, or the storage that is requested for it, has ${size} for ${bytes} bytes.`,
      );
  }
}

function bytesOf(quantity = ""): number {
  const [, digits, unit = ""] = /^(\d+)([MG]i?)$/.exec(quantity) ?? [];
  return Number(digits) * { M: 1e6, Mi: 1024 ** 2, G: 1e9, Gi: gibibyte }[unit as "Mi"];
}

/** Returns the notes of the chart. helm shows notes only at an installation, so this renders them as a manifest. */
async function notesOf(args: readonly string[]): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), "chart-"));
  try {
    await cp(chart, copy, { recursive: true });
    const notes = await readFile(join(chart, "templates/NOTES.txt"), "utf8");
    await writeFile(join(copy, "templates/notes.yaml"), `notes: |\n${notes.replaceAll(/^/gm, "  ")}`);
    const moved = args.map((arg) => (arg === chart ? copy : arg));
    return await mustRun("helm", [...moved, "--show-only", "templates/notes.yaml"]);
  } finally {
    await rm(copy, { recursive: true });
  }
}

async function podOfNotes(set: string): Promise<object> {
  const notes = await notesOf(template(set));
  const overrides = /--overrides='(.*)'$/m.exec(notes)?.[1]?.replaceAll(String.raw`'\''`, "'");
  if (overrides === undefined) throw new CommandFailure(`The notes name no pod for the first user:\n${notes}`);
  mustWarn(notes, set === "least");
  const metadata = { name: "first-user" };
  return { apiVersion: "v1", kind: "Pod", metadata, ...(JSON.parse(overrides) as object) };
}

/** Throws unless the notes warn, or do not warn, of an unset TRUSTED_PROXY_HOPS and of ports that are open to all. */
function mustWarn(notes: string, expected: boolean): void {
  for (const name of ["TRUSTED_PROXY_HOPS", "networkPolicy.callers"])
    if (notes.includes(name) !== expected)
      throw new CommandFailure(`The notes ${expected ? "do not warn" : "warn"} about ${name}:\n${notes}`);
}

/** Throws unless the notes warn that callers can choose their address, which is true only with trusted proxy hops. */
async function mustWarnOfForwardedAddress(hops: number): Promise<void> {
  const notes = await notesOf([...template("least"), "--set", `api.config.TRUSTED_PROXY_HOPS=${hops}`]);
  if (!notes.includes("networkPolicy.callers") || notes.includes("may say which address") !== hops > 0)
    throw new CommandFailure(`The notes are wrong for ${hops} proxies in front and no callers:\n${notes}`);
}

/** Renders the chart with the command of docs/guides/running/kubernetes.md, with digests instead of its placeholders. */
async function mustFollowPage(): Promise<void> {
  const page = await readFile(join(root, "docs/guides/running/kubernetes.md"), "utf8");
  const [, settings = ""] = /^helm upgrade --install --timeout \S+ reports deploy\/chart ([^`]*)^```/m.exec(page) ?? [];
  const listed = settings.replaceAll("…", "1".repeat(64)).replaceAll("\\\n", " ");
  const args = (await mustRun("sh", ["-c", `printf '%s\n' ${listed}`])).trimEnd().split("\n");
  const install = ["template", "reports", chart, "--kube-version", kubernetes, ...args];
  const made = await mustRun("helm", install);
  for (const name of ["PUBLIC_URL", "TRUSTED_PROXY_HOPS"])
    if (!made.includes(`name: ${name}\n`))
      throw new CommandFailure(`The command of docs/guides/running/kubernetes.md does not set ${name}.`);
  mustWarn(await notesOf(install), false);
}

/** Throws unless the validator finds a misspelt field. */
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
  const { code, output, errorOutput } = await run(program, args, input);
  if (code === 0) return output;
  throw new CommandFailure(`${program} ${args.join(" ")} ended with ${code}:\n${output}${errorOutput}`);
}

async function run(program: string, args: readonly string[], input = "") {
  const child = spawn(program, args, { cwd: root, env: environment, stdio: "pipe" });
  const closed = once(child, "close").catch(() => {
    throw new CommandFailure(`${program} cannot be run. .ci/run installs it.`);
  });
  // A child that exits without reading its input causes this error.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [output, errorOutput, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed as Promise<[number | null]>,
  ]);
  return { code, output: code === 0 ? output : output + errorOutput, errorOutput };
}
