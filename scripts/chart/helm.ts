import { cp, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { checkoutFolder } from "@reports/testing";
import { parse, parseAllDocuments } from "yaml";
import { captureProgram, runProgram } from "../machine/run-program.ts";
import { joinPathWithGoPrograms } from "../machine/trial-machine.ts";

export const chartFolder = join(checkoutFolder, "deploy/chart");
/** Version of Kubernetes for which charts are rendered and validated. Without it, a helm installed by Go assumes an old version. */
export const kubernetesVersion = "1.37.0";

const environment = {
  ...process.env,
  PATH: joinPathWithGoPrograms(process.env["PATH"]),
  PYTHONPATH: [process.env["PYTHONPATH"], join(checkoutFolder, "node_modules/.cache/python")]
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

/** Returns the manifests of an installation. `more` are further options of helm. */
export async function renderManifests(installation: ChartInstallationName, ...more: readonly string[]) {
  return runChartToolOrThrow("helm", [...helmTemplateArguments(installation), ...more]);
}

/** Parses the manifests of these kinds, or all manifests if no kind is given. */
export function parseManifests(manifests: string, ...kinds: readonly string[]): readonly { readonly kind: string }[] {
  const all = parseAllDocuments(manifests).map((document) => document.toJS() as { readonly kind: string });
  return all.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
}

/** Throws unless the manifests conform to the schemas of Kubernetes. */
export async function validateManifests(manifests: string, ...options: readonly string[]): Promise<void> {
  const validator = join(checkoutFolder, "scripts/images/validate_manifests.py");
  await runChartToolOrThrow("python3", [validator, ...options], manifests);
}

export async function runChartToolOrThrow(program: string, args: readonly string[], input = ""): Promise<string> {
  return runProgram({ folder: checkoutFolder, environment, input }, program, args);
}

export async function runChartTool(program: string, args: readonly string[]) {
  return captureProgram({ folder: checkoutFolder, environment }, program, args);
}
