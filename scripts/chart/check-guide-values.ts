import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandExitError } from "@reports/commands";
import { checkoutFolder } from "@reports/testing";
import { parse } from "yaml";
import { parseCodeBlocks } from "../test/documents/parse-page-steps.ts";
import { runChartToolOrThrow, helmTemplateArguments, validateManifests, writeUmbrellaChart } from "./helm.ts";

export async function assertGuidesConfigureChart(folder: string, definitions: readonly string[]): Promise<number> {
  const [values, pods] = [await readYaml("kubernetes"), await readYaml("repair")];
  for (const text of values) {
    const [chartFile, umbrellaValues] = text.split("# values.yaml\n");
    const args =
      umbrellaValues === undefined
        ? await writeValues(folder, text)
        : await writeParent(folder, chartFile!, umbrellaValues);
    await validateManifests(await runChartToolOrThrow("helm", args), ...definitions);
  }
  for (const pod of pods) await validateManifests(pod);
  return values.length + pods.length;
}

async function readYaml(guide: string): Promise<readonly string[]> {
  const page = await readFile(join(checkoutFolder, `docs/guides/running/${guide}.md`), "utf8");
  const blocks = parseCodeBlocks(page).filter(({ language }) => language === "yaml");
  if (blocks.length === 0) throw new CommandExitError(`docs/guides/running/${guide}.md has no YAML.`);
  return blocks.map(({ code }) => code);
}

async function writeValues(folder: string, text: string): Promise<readonly string[]> {
  const file = join(folder, "values.yaml");
  await writeFile(file, text);
  return [...helmTemplateArguments("cloud"), "--values", file];
}

async function writeParent(folder: string, chartFile: string, values: string): Promise<readonly string[]> {
  const umbrella = await writeUmbrellaChart(join(folder, "parent"));
  const made = parse(await readFile(join(umbrella, "Chart.yaml"), "utf8")) as { dependencies: [{ version: string }] };
  const { dependencies } = parse(chartFile) as { dependencies: readonly [object] };
  const [{ version }] = made.dependencies;
  // The dependency gets no repository URL, because the folder of the umbrella chart already contains a copy of the chart.
  const dependency = { ...dependencies[0], version, repository: "" };
  await writeFile(join(umbrella, "Chart.yaml"), JSON.stringify({ ...made, dependencies: [dependency] }));
  const file = join(folder, "umbrella-values.yaml");
  await writeFile(file, values);
  return [...helmTemplateArguments("pools", umbrella), "--values", file];
}
