import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeEnvironment, type VariableDescription } from "@reports/runtime";
// @boundaries-ignore an app exports nothing, and its list of variables is the one that counts
import { apiEnvironment } from "../../apps/api/src/config.ts";
// @boundaries-ignore the same
import { workerEnvironment } from "../../apps/worker/src/config.ts";

const readmeFile = join(import.meta.dirname, "../../README.md");
const place = /(<!-- configuration:begin[^>]*-->\n)[\s\S]*?(<!-- configuration:end -->)/;

/** The README with its table of variables as it follows from what the processes read. */
export function readmeWithTable(readme: string): string {
  return readme.replace(place, (_, begin: string, end: string) => `${begin}${configurationTable()}\n${end}`);
}

function configurationTable(): string {
  const users = new Map<string, { variable: VariableDescription; by: string[] }>();
  for (const [by, spec] of [
    ["api", apiEnvironment],
    ["worker", workerEnvironment],
  ] as const) {
    for (const variable of describeEnvironment(spec)) {
      const known = users.get(variable.name);
      if (known === undefined) users.set(variable.name, { variable, by: [by] });
      else known.by.push(by);
    }
  }
  const rows = [...users.values()].map(({ variable, by }) => {
    const state = variable.required ? "required" : (variable.default ?? "");
    const secret = variable.secret ? " Secret." : "";
    return `| \`${variable.name}\` | ${by.join(", ")} | ${state} | ${variable.description.replaceAll("|", "\\|")}${secret} |`;
  });
  return ["| variable | read by | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

if (import.meta.main) writeFileSync(readmeFile, readmeWithTable(readFileSync(readmeFile, "utf8")));
