import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { findFreePort, startProcess, checkoutFolder, waitFor } from "@reports/testing";
import { findMetricFaults } from "../monitoring/metric-faults.ts";

interface Target {
  readonly health: string;
  readonly scrapeUrl: string;
  readonly lastError: string;
}

interface RuleGroup {
  readonly rules: readonly {
    readonly name: string;
    readonly health: string;
    readonly lastError?: string;
    readonly state?: string;
    readonly labels?: Readonly<Record<string, string>>;
  }[];
}

export async function startPrometheus(folder: string, ports: readonly number[]) {
  const config = {
    global: { scrape_interval: "2s", evaluation_interval: "5s" },
    rule_files: [join(checkoutFolder, "docs/reference/alerts.yml")],
    scrape_configs: [{ job_name: "reports", static_configs: [{ targets: ports.map((port) => `127.0.0.1:${port}`) }] }],
  };
  // JSON is also valid YAML, which Prometheus reads.
  await writeFile(join(folder, "prometheus.yml"), JSON.stringify(config));
  const origin = `http://127.0.0.1:${await findFreePort()}`;
  const server = startProcess({
    name: "Prometheus",
    program: "/usr/bin/prometheus",
    args: [
      `--config.file=${join(folder, "prometheus.yml")}`,
      `--storage.tsdb.path=${join(folder, "prometheus")}`,
      `--web.listen-address=${new URL(origin).host}`,
    ],
    environment: {},
    origin,
    readyPath: "/-/ready",
  });
  await server.ready();
  const read = async <T>(path: string): Promise<T> =>
    ((await (await fetch(`${origin}/api/v1/${path}`)).json()) as { data: T }).data;
  return {
    async check(): Promise<void> {
      await waitFor(
        async () => {
          const { activeTargets } = await read<{ activeTargets: readonly Target[] }>("targets");
          return activeTargets.length === ports.length && activeTargets.every(({ health }) => health === "up");
        },
        { what: "Prometheus to scrape every process" },
      );
      const { groups } = await read<{ groups: readonly RuleGroup[] }>("rules");
      const rules = groups.flatMap((group) => group.rules);
      const wrong = rules.filter(
        ({ health, state, labels }) => health === "err" || (state === "firing" && labels?.["severity"] === "page"),
      );
      if (rules.length === 0 || wrong.length > 0)
        throw new CommandExitError(`Prometheus reports of its ${rules.length} rules: ${JSON.stringify(wrong)}`, 1);
      for (const port of ports) {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        const faults = findMetricFaults("/usr/bin/promtool", text);
        if (faults.length > 0) throw new CommandExitError(`promtool finds faults in /metrics: ${faults.join("; ")}`, 1);
      }
    },
    [Symbol.asyncDispose]: async (): Promise<void> => void (await server.stop()),
  };
}
