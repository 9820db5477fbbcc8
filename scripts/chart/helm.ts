import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { CommandExitError } from "@reports/commands";
import { parse } from "yaml";
import { createEnvironmentWithGoPrograms } from "../images/go-programs.ts";

export const repositoryRoot = join(import.meta.dirname, "../..");
export const chartFolder = join(repositoryRoot, "deploy/chart");
/** Version of Kubernetes for which charts are rendered and validated. Without it, a helm installed by Go assumes an old version. */
export const kubernetesVersion = "1.37.0";

const environment = {
  ...createEnvironmentWithGoPrograms(),
  PYTHONPATH: [process.env["PYTHONPATH"], join(repositoryRoot, "node_modules/.cache/python")]
    .filter(Boolean)
    .join(delimiter),
};

/** Installations with reviewed output in deploy/chart/golden. `pools` is an umbrella chart that contains the chart. */
export const chartInstallationNames = ["least", "cloud", "on-premises", "openshift", "pools"] as const;
export type ChartInstallationName = (typeof chartInstallationNames)[number];

export function helmValuesFileOf(installation: ChartInstallationName): string {
  return join(chartFolder, "ci", `${installation}-values.yaml`);
}

export function helmTemplateArguments(installation: ChartInstallationName, of = chartFolder): string[] {
  const fixed = ["--namespace", "reports", "--kube-version", kubernetesVersion];
  return ["template", "reports", of, ...fixed, "--values", helmValuesFileOf(installation)];
}

export async function writeUmbrellaChart(folder: string): Promise<string> {
  const { version } = parse(await runChartToolOrThrow("helm", ["show", "chart", chartFolder])) as { version: string };
  const dependency = { name: "report-gateway", version, condition: "report-gateway.enabled" };
  const umbrella = { apiVersion: "v2", name: "platform", version: "1.0.0", dependencies: [dependency] };
  await mkdir(join(folder, "charts"), { recursive: true });
  await cp(chartFolder, join(folder, "charts/report-gateway"), { recursive: true, dereference: true });
  // A JSON document is also a YAML document.
  await writeFile(join(folder, "Chart.yaml"), JSON.stringify(umbrella));
  return folder;
}

export async function runChartToolOrThrow(program: string, args: readonly string[], input = ""): Promise<string> {
  const { code, output, errorOutput } = await runChartTool(program, args, input);
  if (code === 0) return output;
  throw new CommandExitError(`${program} ${args.join(" ")} ended with ${code}:\n${output}${errorOutput}`);
}

export async function runChartTool(program: string, args: readonly string[], input = "") {
  const child = spawn(program, args, { cwd: repositoryRoot, env: environment, stdio: "pipe" });
  const closed = once(child, "close").catch(() => {
    throw new CommandExitError(`${program} cannot be run. .ci/run installs it.`);
  });
  // A program that exits without reading its input causes an EPIPE error. Its exit code says why it exited.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [output, errorOutput, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    closed as Promise<[number | null]>,
  ]);
  return { code, output: code === 0 ? output : output + errorOutput, errorOutput };
}
