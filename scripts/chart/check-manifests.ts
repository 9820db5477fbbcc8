import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { CommandExitError } from "@reports/commands";
import { parse } from "yaml";
// @boundaries-ignore Apps have no exports, and the list of variables is in this file.
import { readApiConfig } from "../../apps/api/src/config.ts";
// @boundaries-ignore Apps have no exports (see above).
import { readWorkerConfig, workerEnvironment } from "../../apps/worker/src/config.ts";
import {
  helmTemplateArguments,
  helmValuesFileOf,
  parseManifests,
  renderManifests,
  runChartTool,
  type ChartInstallationName,
} from "./helm.ts";

interface Workload {
  kind: string;
  metadata: { labels: Record<string, string> };
  spec: {
    template: { spec: { containers: Container[]; volumes: { name: string; emptyDir?: { sizeLimit: string } }[] } };
  };
}
interface Container {
  env?: { name: string; value?: string }[];
  resources: { requests: Record<string, string> };
}
type Variables = Record<string, unknown>;
interface ComponentValues {
  readonly config?: Variables;
  readonly env?: readonly { readonly name: string }[];
}

const gibibyte = 1024 ** 3;
const spoolMaxBytes = workerEnvironment.spoolMaxBytes.default;
/** Helm settings. Each has the number of reports that a worker then runs at the same time, and the maximum size of a report in bytes. */
export const spoolSizeCases = [
  ["worker.concurrency=1", 1, spoolMaxBytes],
  ["worker.concurrency=8", 8, spoolMaxBytes],
  ["worker.concurrency=8,worker.spool.sizeLimit=20G", 8, spoolMaxBytes],
  ["config.SPOOL_MAX_BYTES=4 GiB", 2, 4 * gibibyte],
  ["worker.concurrency=3,config.SPOOL_MAX_BYTES=4GiB,worker.config.SPOOL_MAX_BYTES=500000000", 3, 500_000_000],
  ["worker.concurrency=3,workerPools[0].name=a,workerPools[0].concurrency=6", 6, spoolMaxBytes],
] as const;

/** The chart sets some variables itself, such as ports. Throws unless it refuses values for them, which would conflict with its ports and volumes. */
export async function assertChartRefusesOwnVariables(installation: ChartInstallationName, made: string): Promise<void> {
  const values = parse(await readFile(helmValuesFileOf(installation), "utf8")) as {
    config: Variables;
    api?: ComponentValues;
    worker?: ComponentValues;
  };
  let found = 0;
  for (const { metadata, spec } of parseManifests(made, "Deployment") as readonly Workload[]) {
    const component = metadata.labels["app.kubernetes.io/component"] as "api" | "worker";
    const { config = {}, env: given = [] } = values[component] ?? {};
    const named = new Set([
      ...Object.keys({ ...values.config, ...config, MINIO_BUCKET: "" }),
      ...given.map(({ name }) => name),
    ]);
    const own = spec.template.spec.containers.flatMap(({ env = [] }) => env.map(({ name }) => name));
    for (const name of own.filter((candidate) => !named.has(candidate)))
      for (const table of ["config", `${component}.config`]) {
        const setting = ["--set-string", `${table}.${name}=1`];
        const { code, errorOutput } = await runChartTool("helm", [...helmTemplateArguments(installation), ...setting]);
        if (code === 0 || !errorOutput.includes(`${name} is set by the chart`))
          throw new CommandExitError(
            `The chart sets ${name}, but accepts ${table}.${name}:\n${errorOutput.slice(0, 2_000)}`,
          );
        found++;
      }
  }
  if (found === 0) throw new CommandExitError(`The chart sets no variable for ${installation}.`);
}

export function assertProcessesAcceptConfiguration(made: string): void {
  const url = "postgres://user:password@db.example.com/reports";
  for (const { metadata, spec } of parseManifests(made, "Deployment") as readonly Workload[]) {
    const component = metadata.labels["app.kubernetes.io/component"];
    const variables = spec.template.spec.containers[0]!.env!.map(({ name, value }) => [name, value] as const);
    const given: Record<string, string | undefined> = Object.fromEntries(variables);
    const environment = {
      ...given,
      NODE_ENV: "production",
      DATABASE_URL: url,
      // The manifests name a file of a volume. The file does not exist on this machine, so reading the configuration would fail.
      MINIO_CA_FILE: undefined,
      ...(given["MINIO_ENDPOINT"] === undefined ? {} : { MINIO_ACCESS_KEY: "key", MINIO_SECRET_KEY: "secret" }),
      ...(given["AUTH_JWKS_URL"] === undefined ? { AUTH_JWT_SECRET: randomBytes(32).toString("base64") } : {}),
      ...(given["REPORT_SOURCES"] === undefined ? {} : { REPORT_SOURCE_BILLING_URL: url }),
    };
    try {
      if (component === "api") readApiConfig(environment);
      else readWorkerConfig(environment);
    } catch (error) {
      throw new CommandExitError(`The ${component} does not accept its variables: ${(error as Error).message}`);
    }
  }
}

/**
 * Throws unless the spool volume of the chart has room for `bytes` and 1 to 3 GiB more. Kubernetes evicts a worker whose files outgrow the volume.
 */
export async function assertSpoolFitsReports(setting: string, bytes: number): Promise<void> {
  const made = await renderManifests("least", "--set", setting, "--show-only", "templates/worker.yaml");
  const [deployment] = parseManifests(made, "Deployment") as readonly Workload[];
  const { volumes = [], containers = [] } = deployment?.spec.template.spec ?? {};
  const volume = volumes.find(({ name }) => name === "spool")?.emptyDir?.sizeLimit;
  const request = containers[0]?.resources.requests["ephemeral-storage"];
  for (const size of [volume, request]) {
    const spare = bytesOf(size) - bytes;
    if (!(spare >= gibibyte && spare < 3 * gibibyte))
      throw new CommandExitError(
        `With ${setting} the spool, or the storage that is requested for it, has ${size} for ${bytes} bytes.`,
      );
  }
}

function bytesOf(quantity = ""): number {
  const [, digits, unit = ""] = /^(\d+)([MG]i?)$/.exec(quantity) ?? [];
  return Number(digits) * { M: 1e6, Mi: 1024 ** 2, G: 1e9, Gi: gibibyte }[unit as "Mi"];
}
