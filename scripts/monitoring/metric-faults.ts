import { spawnSync } from "node:child_process";

/** Gauges of prom-client about Node whose names end with `_total`, which promtool refuses. docs/reference/metrics.md deprecates them. */
const misnamed =
  /^nodejs_active_(handles|requests|resources)_total non-counter metrics should not have "_total" suffix$/;

export function findMetricFaults(promtool: string, text: string): string[] {
  const { status, error, stdout, stderr } = spawnSync(promtool, ["check", "metrics"], {
    input: text,
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  const lines = `${stdout}${stderr}`.split("\n").filter((line) => line !== "");
  if (status !== 0 && lines.length === 0) throw new Error(`promtool exited with ${status}.`);
  return lines.filter((line) => !misnamed.test(line));
}
