import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { renderChartReadme } from "../chart/chart-readme.ts";
import { renderChartVariables } from "../chart/chart-variables.ts";

const chart = join(import.meta.dirname, "../../deploy/chart");

test("`pnpm generate chart-readme` writes the README of the chart from values.yaml", async () => {
  await expect(renderChartReadme()).toMatchFileSnapshot(join(chart, "README.md"));
});

test("the README of the chart has one row per value of API, worker and KEDA", () => {
  const readme = renderChartReadme();
  const values = parse(readFileSync(join(chart, "values.yaml"), "utf8")) as Record<string, object>;
  const paths = ["api", "worker", "keda"].flatMap((group) =>
    Object.keys(values[group]!).map((name) => `\n| \`${group}.${name}`),
  );
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !readme.includes(path))).toEqual([]);
});

test("`pnpm generate chart-variables` writes the variables that the chart accepts", async () => {
  await expect(renderChartVariables()).toMatchFileSnapshot(join(chart, "files/variables.yaml"));
});
