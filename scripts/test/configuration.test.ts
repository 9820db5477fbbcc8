import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EnvironmentSpec, EnvironmentVariable } from "@reports/runtime";
import { describe, expect, test } from "vitest";
// @boundaries-ignore an app exports nothing, and what it reads is what counts
import { apiEnvironment, readApiConfig } from "../../apps/api/src/config.ts";
// @boundaries-ignore the same
import { readWorkerConfig, workerEnvironment } from "../../apps/worker/src/config.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/configuration.md"), "utf8");
const leastEnvironment = { DATABASE_URL: "postgres://user@host/database", STORAGE_DIR: "/files" };
const otherStore = {
  DATABASE_URL: leastEnvironment.DATABASE_URL,
  MINIO_ENDPOINT: "http://store",
  MINIO_ACCESS_KEY: "key",
  MINIO_SECRET_KEY: "secret",
  MINIO_BUCKET: "bucket",
};

interface Row {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

/** The rows below one heading of the page; read from its text, so that what wrote it cannot hide its own mistakes. */
function rowsBelow(heading: string): Row[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return section
    .split("\n")
    .map((line) => /^\| `(\w+)` \| (.*?) ?\| (.*) \|$/.exec(line))
    .filter((match) => match !== null)
    .map(([, name, value, meaning]) => ({ name: name!, value: value!, meaning: meaning!.replaceAll("\\|", "|") }));
}

const processes: readonly [
  string,
  EnvironmentSpec,
  (environment: Record<string, string>) => Record<string, unknown>,
][] = [
  ["API", apiEnvironment, readApiConfig],
  ["Worker", workerEnvironment, readWorkerConfig],
];

describe.each(processes)("docs/configuration.md, %s (`pnpm configuration-table` writes it)", (heading, spec, read) => {
  const rows = [...rowsBelow("API and worker"), ...rowsBelow(heading)];

  test("names every variable that the process reads, once, and no other", () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      Object.values(spec)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  test.each(Object.entries(spec))("%s is what the process does without it, and what it means", (key, variable) => {
    const { value, meaning } = rows.find(({ name }) => name === variable.name)!;
    expect(meaning).toBe(`${variable.description}${variable.secret === true ? " *Secret*." : ""}`);
    const others = variable.name === "STORAGE_DIR" ? otherStore : leastEnvironment;
    expect(documentedValue(value, variable)).toEqual(
      valueWithout(variable, () => read({ ...others, [variable.name]: "" })[key]),
    );
  });
});

/** The default that a row tells: read as the process would read it, or in its author's own words. */
function documentedValue(text: string, variable: EnvironmentVariable): unknown {
  if (text === "" || text === "required") return text === "" ? undefined : text;
  return text === variable.defaultText ? variable.default : variable.schema.parse(text);
}

/** What the process takes where the variable is not set; `required` where it refuses to start then, and names it. */
function valueWithout({ name }: EnvironmentVariable, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (String(error).includes(name)) return "required";
    throw error;
  }
}
