import { existsSync, readFileSync } from "node:fs";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { CommandExitError, runCommand } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { parse } from "yaml";
import { acceptedChartSettings, assertAccepts } from "../chart/check-accepted-settings.ts";
import { assertGuidesConfigureChart } from "../chart/check-guide-values.ts";
import { assertHelmTestNoticesUnreadyApi } from "../chart/check-helm-test.ts";
import {
  assertProcessesAcceptConfiguration,
  assertSpoolFitsReports,
  assertChartRefusesOwnVariables,
  spoolSizeCases,
} from "../chart/check-manifests.ts";
import { assertPoliciesApplyToAllPods } from "../chart/check-network-policies.ts";
import {
  assertGuideCommandRenders,
  assertNotesWarnOfForgedAddress,
  assertNotesWarnOfUnservedLanes,
  readFirstUserPod,
} from "../chart/check-notes.ts";
import { assertPodsRestartOnChange } from "../chart/check-restarts.ts";
import { downloadCustomResources } from "../chart/custom-resources.ts";
import {
  chartFolder,
  chartInstallationNames,
  kubernetesVersion,
  runChartToolOrThrow,
  runChartTool,
  helmTemplateArguments,
  helmValuesFileOf,
  validateManifests,
  writeUmbrellaChart,
  type ChartInstallationName,
} from "../chart/helm.ts";
import { refusedChartSettings } from "./refused-chart-settings.ts";

const { version } = JSON.parse(readFileSync(join(checkoutFolder, "package.json"), "utf8")) as { version: string };
const runbook = "docs/guides/running/respond-to-alerts.md";

await runCommand(async ({ args }) => {
  const { values } = parseArgs({ args: [...args], options: { update: { type: "boolean" } } });
  const definitions = await downloadCustomResources();
  await using folder = await mkdtempDisposable(join(tmpdir(), "chart-umbrella-"));
  const umbrella = await writeUmbrellaChart(folder.path);
  for (const installation of chartInstallationNames) {
    const of = installation === "pools" ? umbrella : chartFolder;
    await assertLints(installation, of);
    const made = await runChartToolOrThrow("helm", helmTemplateArguments(installation, of));
    await assertEqualsGolden(installation, made, values.update === true);
    await validateManifests(made, ...definitions);
    await validateManifests(made, "--plant", ...definitions);
    assertProcessesAcceptConfiguration(made);
    process.stdout.write(
      `${installation}: equals the reviewed output, conforms to all schemas, and configures the processes.\n`,
    );
    if (of === umbrella) {
      assertPoliciesApplyToAllPods(made);
      continue;
    }
    const firstUser = await readFirstUserPod(installation);
    await validateManifests(JSON.stringify(firstUser));
    assertPoliciesApplyToAllPods(made, firstUser);
    await assertChartRefusesOwnVariables(installation, made);
  }
  const count = await assertGuidesConfigureChart(folder.path, definitions);
  process.stdout.write(`The ${count} blocks of YAML in the guides conform to all schemas.\n`);
  for (const [setting, part] of refusedChartSettings) await assertRefuses(setting, part);
  process.stdout.write(
    `${refusedChartSettings.length} wrong values are refused, each in one line that names the value.\n`,
  );
  for (const [setting, part] of acceptedChartSettings) await assertAccepts(setting, part);
  await assertGuideCommandRenders();
  process.stdout.write("The command of docs/guides/running/kubernetes.md installs the chart behind a proxy.\n");
  for (const hops of [0, 1]) await assertNotesWarnOfForgedAddress(hops);
  await assertNotesWarnOfUnservedLanes();
  for (const [setting, reports, bytes] of spoolSizeCases) await assertSpoolFitsReports(setting, reports * bytes);
  process.stdout.write(`The spool holds all concurrent reports, for ${spoolSizeCases.length} settings.\n`);
  await assertPodsRestartOnChange();
  process.stdout.write("A changed Secret or ConfigMap restarts exactly the pods that use it.\n");
  await assertHelmTestNoticesUnreadyApi();
  process.stdout.write("`helm test` notices an API that is not ready.\n");
});

async function assertLints(installation: ChartInstallationName, of: string): Promise<void> {
  const options = ["lint", "--strict", "--quiet", "--kube-version", kubernetesVersion];
  // `--strict` turns warnings into errors. The umbrella chart has no icon, which is a warning, and is never published. So it is checked without the
  // option.
  const strict = options.filter((option) => of === chartFolder || option !== "--strict");
  await runChartToolOrThrow("helm", [...strict, of, "--values", helmValuesFileOf(installation)]);
}

async function assertEqualsGolden(installation: ChartInstallationName, made: string, update: boolean): Promise<void> {
  const reviewed = await withoutDashboard(withoutAlerts(withoutVersion(made), await alertsOf(installation)));
  const golden = join(chartFolder, "golden", `${installation}.yaml`);
  if (update) await writeFile(golden, reviewed);
  else if (!existsSync(golden) || (await readFile(golden, "utf8")) !== reviewed)
    throw new CommandExitError(
      `The output of the chart for ${helmValuesFileOf(installation)} differs from ${golden}. Review the changes: pnpm try check-chart --update && git diff deploy/chart/golden`,
    );
}

function withoutVersion(made: string): string {
  return made
    .replaceAll(`helm.sh/chart: report-gateway-${version}`, "helm.sh/chart: report-gateway-VERSION")
    .replaceAll(`app.kubernetes.io/version: "${version}"`, `app.kubernetes.io/version: "VERSION"`)
    .replaceAll(
      new RegExp(`(report-gateway-(?:api|worker)):${version.replaceAll(".", String.raw`\.`)}$`, "gm"),
      "$1:VERSION",
    );
}

async function alertsOf(installation: ChartInstallationName): Promise<string | undefined> {
  const values = parse(await readFile(helmValuesFileOf(installation), "utf8")) as Values & {
    "report-gateway"?: Values;
  };
  const { monitoring } = values["report-gateway"] ?? values;
  if (monitoring === undefined) return undefined;
  const alerts = await readFile(join(checkoutFolder, "docs/reference/alerts.yml"), "utf8");
  return alerts.replaceAll(`"${runbook}#`, `"${monitoring.runbookUrl ?? runbook}#`);
}

interface Values {
  readonly monitoring?: { readonly runbookUrl?: string };
}

function withoutAlerts(made: string, alerts: string | undefined): string {
  if (alerts === undefined) {
    if (!made.includes("kind: PrometheusRule")) return made;
    throw new CommandExitError("The chart contains alerts although monitoring is not enabled.");
  }
  const indented = alerts.trimEnd().replaceAll(/^(?=.)/gm, "  ");
  if (!made.includes(indented)) throw new CommandExitError("The alerts differ from docs/reference/alerts.yml.");
  return made.replace(indented, "  # docs/reference/alerts.yml, indented");
}

// The dashboard is generated from the metrics, and reviewed in its own file.
async function withoutDashboard(made: string): Promise<string> {
  const line = /^ {2}report-gateway\.json: (.+)$/m.exec(made);
  if (line === null) return made;
  const rendered: unknown = JSON.parse(parse(line[1]!) as string);
  const dashboard: unknown = JSON.parse(await readFile(join(chartFolder, "files/dashboard.json"), "utf8"));
  if (!isDeepStrictEqual(rendered, dashboard))
    throw new CommandExitError("The dashboard differs from deploy/chart/files/dashboard.json.");
  return made.replace(line[0], "  # deploy/chart/files/dashboard.json, as the text of report-gateway.json");
}

async function assertRefuses(setting: string, part: string): Promise<void> {
  const option = /=[[{]/.test(setting) ? "--set-json" : "--set";
  const { code, errorOutput } = await runChartTool("helm", [...helmTemplateArguments("least"), option, setting]);
  const lines = errorOutput.split("\n").filter((line) => /^Error: execution error|^\s*- at /.test(line));
  if (code === 0 || lines.length !== 1 || !lines[0]!.includes(part))
    throw new CommandExitError(`The chart should refuse ${setting} with "${part}":\n${errorOutput.slice(0, 2_000)}`);
}
