import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { CommandFailure } from "@reports/commands";
import { parse } from "yaml";
import { createEnvironmentWithGoPrograms } from "../images/go-programs.ts";

export const root = join(import.meta.dirname, "../..");
export const chart = join(root, "deploy/chart");
/** Version of Kubernetes for which charts are rendered and validated. Without it, a helm installed by Go assumes an old version. */
export const kubernetesVersion = "1.37.0";

const environment = {
  ...createEnvironmentWithGoPrograms(),
  PYTHONPATH: [process.env["PYTHONPATH"], join(root, "node_modules/.cache/python")].filter(Boolean).join(delimiter),
};

/** Installations with reviewed output in deploy/chart/golden. `pools` is an umbrella chart that contains the chart. */
export const installations = ["least", "cloud", "on-premises", "openshift", "pools"] as const;
export type Installation = (typeof installations)[number];

export function valuesFileOf(installation: Installation): string {
  return join(chart, "ci", `${installation}-values.yaml`);
}

export function templateArguments(installation: Installation, of = chart): string[] {
  const fixed = ["--namespace", "reports", "--kube-version", kubernetesVersion];
  return ["template", "reports", of, ...fixed, "--values", valuesFileOf(installation)];
}

export async function writeUmbrella(folder: string): Promise<string> {
  const { version } = parse(await runOrThrow("helm", ["show", "chart", chart])) as { version: string };
  const dependency = { name: "report-gateway", version, condition: "report-gateway.enabled" };
  const umbrella = { apiVersion: "v2", name: "platform", version: "1.0.0", dependencies: [dependency] };
  await mkdir(join(folder, "charts"), { recursive: true });
  await cp(chart, join(folder, "charts/report-gateway"), { recursive: true, dereference: true });
  // A JSON document is also a YAML document.
  await writeFile(join(folder, "Chart.yaml"), JSON.stringify(umbrella));
  return folder;
}

export async function runOrThrow(program: string, args: readonly string[], input = ""): Promise<string> {
  const { code, output, errorOutput } = await run(program, args, input);
  if (code === 0) return output;
  throw new CommandFailure(`${program} ${args.join(" ")} ended with ${code}:\n${output}${errorOutput}`);
}

export async function run(program: string, args: readonly string[], input = "") {
  const child = spawn(program, args, { cwd: root, env: environment, stdio: "pipe" });
  const closed = once(child, "close").catch(() => {
    throw new CommandFailure(`${program} cannot be run. .ci/run installs it.`);
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
