import { join } from "node:path";
import { expect, test } from "vitest";
import { renderChartReadme } from "../chart/chart-readme.ts";
import { renderChartVariables } from "../chart/chart-variables.ts";

const chart = join(import.meta.dirname, "../../deploy/chart");

test("`pnpm generate chart-readme` writes the README of the chart from values.yaml", async () => {
  await expect(renderChartReadme()).toMatchFileSnapshot(join(chart, "README.md"));
});

test("every value of the chart has a line in its README", () => {
  expect(renderChartReadme()).toContain('| `worker.spool.sizeLimit` | `""` | Size of the volume, such as 20Gi.');
});

test("`pnpm generate chart-variables` writes the variables that the chart accepts", async () => {
  await expect(renderChartVariables()).toMatchFileSnapshot(join(chart, "files/variables.yaml"));
});
