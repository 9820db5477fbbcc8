import { cp, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import {
  chartFolder,
  kubernetesVersion,
  runChartToolOrThrow,
  helmTemplateArguments,
  type ChartInstallationName,
} from "./helm.ts";

const guide = "docs/guides/running/kubernetes.md";

/**
 * Returns the notes of the chart, which `helm install` prints. `helm template` omits notes, so this renders a copy of the chart that has them as a
 * manifest.
 */
async function renderNotes(args: readonly string[]): Promise<string> {
  await using copy = await mkdtempDisposable(join(tmpdir(), "chart-"));
  await cp(chartFolder, copy.path, { recursive: true });
  const notes = await readFile(join(chartFolder, "templates/NOTES.txt"), "utf8");
  await writeFile(join(copy.path, "templates/notes.yaml"), `notes: |\n${notes.replaceAll(/^/gm, "  ")}`);
  const moved = args.map((arg) => (arg === chartFolder ? copy.path : arg));
  return await runChartToolOrThrow("helm", [...moved, "--show-only", "templates/notes.yaml"]);
}

/**
 * Returns the pod that the notes suggest for creating the first user. The values of the installation `least` lack TRUSTED_PROXY_HOPS and
 * `networkPolicy.callers`. Throws unless the notes warn about both settings there, and about none elsewhere.
 */
export async function readFirstUserPod(installation: ChartInstallationName): Promise<object> {
  const notes = await renderNotes(helmTemplateArguments(installation));
  const overrides = /--overrides='(.*)'$/m.exec(notes)?.[1]?.replaceAll(String.raw`'\''`, "'");
  if (overrides === undefined) throw new CommandExitError(`The notes name no pod for the first user:\n${notes}`);
  assertWarns(notes, installation === "least");
  const { metadata, ...pod } = JSON.parse(overrides) as { readonly metadata?: object };
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "first-user", ...metadata }, ...pod };
}

function assertWarns(notes: string, expected: boolean): void {
  for (const name of ["TRUSTED_PROXY_HOPS", "networkPolicy.callers"])
    if (notes.includes(name) !== expected)
      throw new CommandExitError(`The notes ${expected ? "do not warn" : "warn"} about ${name}:\n${notes}`);
}

/**
 * Throws unless the notes warn about forged client addresses exactly if `hops`, the number of trusted proxies, is positive. With trusted proxies, a
 * caller that reaches the API directly can forge its address.
 */
export async function assertNotesWarnOfForgedAddress(hops: number): Promise<void> {
  const setting = ["--set", `api.config.TRUSTED_PROXY_HOPS=${hops}`];
  const notes = await renderNotes([...helmTemplateArguments("least"), ...setting]);
  if (!notes.includes("networkPolicy.callers") || notes.includes("may say which address") !== hops > 0)
    throw new CommandExitError(`The notes are wrong for ${hops} proxies in front and no callers:\n${notes}`);
}

export async function assertNotesWarnOfUnservedLanes(): Promise<void> {
  const pool = ["--set", "workerPools[0].name=a", "--set", "workerPools[0].config.WORKER_LANES=quick"];
  const warned = await renderNotes([...helmTemplateArguments("least"), ...pool]);
  const served = await renderNotes(helmTemplateArguments("least"));
  if (!warned.includes("No worker serves the lanes bulk, suspect") || served.includes("No worker serves"))
    throw new CommandExitError(`The notes are wrong about lanes without workers:\n${warned}`);
}

export async function assertGuideCommandRenders(): Promise<void> {
  const page = await readFile(join(checkoutFolder, guide), "utf8");
  const [, settings = ""] = /^helm upgrade --install --timeout \S+ reports deploy\/chart ([^`]*)^```/m.exec(page) ?? [];
  const listed = settings.replaceAll("…", "1".repeat(64)).replaceAll("\\\n", " ");
  const args = (await runChartToolOrThrow("sh", ["-c", `printf '%s\n' ${listed}`])).trimEnd().split("\n");
  const install = ["template", "reports", chartFolder, "--kube-version", kubernetesVersion, ...args];
  const made = await runChartToolOrThrow("helm", install);
  for (const name of ["PUBLIC_URL", "TRUSTED_PROXY_HOPS"])
    if (!made.includes(`name: ${name}\n`)) throw new CommandExitError(`The command of ${guide} does not set ${name}.`);
  assertWarns(await renderNotes(install), false);
}
