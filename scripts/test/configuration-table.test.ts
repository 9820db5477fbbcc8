import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeEnvironment, type VariableDescription } from "@reports/runtime";
import { expect, test } from "vitest";
// @boundaries-ignore Apps have no exports, and the list of variables is in this file.
import { apiEnvironment } from "../../apps/api/src/config.ts";
// @boundaries-ignore Apps have no exports (see above).
import { workerEnvironment } from "../../apps/worker/src/config.ts";

const file = join(import.meta.dirname, "../../docs/reference/configuration.md");
const place = /(<!-- configuration:begin -->\n)[\s\S]*?(<!-- configuration:end -->)/;

function tables(): string {
  const api = describeEnvironment(apiEnvironment).map(row);
  const worker = describeEnvironment(workerEnvironment).map(row);
  return [
    table(
      "API and worker",
      api.filter((line) => worker.includes(line)),
    ),
    table(
      "API",
      api.filter((line) => !worker.includes(line)),
    ),
    table(
      "Worker",
      worker.filter((line) => !api.includes(line)),
    ),
  ].join("\n");
}

function row({ name, required, default: value, description, secret }: VariableDescription): string {
  const meaning = `${description}${secret ? " *Secret*." : ""}`.replaceAll("|", "\\|");
  return `| \`${name}\` | ${required ? "required" : (value ?? "")} | ${meaning} |`;
}

function table(heading: string, rows: readonly string[]): string {
  return [`## ${heading}`, "", "| variable | default | meaning |", "|---|---|---|", ...rows, ""].join("\n");
}

test("`pnpm generate configuration-table` writes docs/reference/configuration.md", async () => {
  const page = (await readFile(file, "utf8")).replace(
    place,
    (_, begin: string, end: string) => `${begin}\n${tables()}\n${end}`,
  );
  await expect(page).toMatchFileSnapshot(file);
});
