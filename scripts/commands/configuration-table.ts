import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeEnvironment, type VariableDescription } from "@reports/runtime";
// @boundaries-ignore an app exports nothing, and its list of variables is the one that counts
import { apiEnvironment } from "../../apps/api/src/config.ts";
// @boundaries-ignore the same
import { workerEnvironment } from "../../apps/worker/src/config.ts";

const file = join(import.meta.dirname, "../../docs/configuration.md");
const place = /(<!-- configuration:begin -->\n)[\s\S]*?(<!-- configuration:end -->)/;

/** A variable is shared only where both processes mean the same by it: HOST has a default in each. */
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

const page = readFileSync(file, "utf8");
writeFileSync(
  file,
  page.replace(place, (_, begin: string, end: string) => `${begin}\n${tables()}\n${end}`),
);
