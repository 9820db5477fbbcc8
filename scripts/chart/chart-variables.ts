import { describeEnvironment } from "@reports/runtime";
// @boundaries-ignore Apps have no exports, and the list of variables is in this file.
import { apiEnvironment } from "../../apps/api/src/config.ts";
// @boundaries-ignore Apps have no exports (see above).
import { workerEnvironment } from "../../apps/worker/src/config.ts";

/** Variables that Node and its libraries read. The API and the worker do not declare them in their configuration, but the chart must accept them. */
const systemVariables = ["LANG", "NODE_EXTRA_CA_CERTS", "OTEL_EXPORTER_OTLP_HEADERS", "TZ", "UV_THREADPOOL_SIZE"];

export function renderChartVariables(): string {
  const processes = new Map<string, string[]>(systemVariables.map((name) => [name, ["api", "worker"]]));
  for (const [process, spec] of [
    ["api", apiEnvironment],
    ["worker", workerEnvironment],
  ] as const)
    for (const { name, secret } of describeEnvironment(spec))
      for (const variable of secret ? [name, `${name}_FILE`] : [name])
        processes.set(variable, [...(processes.get(variable) ?? []), process]);
  const lines = [...processes].map(([name, of]) => `${name}: ${of.join(" and ")}\n`).toSorted();
  return `# Written by \`pnpm generate chart-variables\`: the variables that the chart accepts, and the processes that read them.\n${lines.join("")}`;
}
