import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EnvironmentSpec, EnvironmentVariable } from "@reports/runtime";
import { describe, expect, test } from "vitest";
// @boundaries-ignore Apps have no exports, and the test reads this configuration.
import { apiEnvironment, readApiConfig } from "../../apps/api/src/config.ts";
// @boundaries-ignore Apps have no exports (see above).
import { readWorkerConfig, workerEnvironment } from "../../apps/worker/src/config.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/reference/configuration.md"), "utf8");
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

/** Returns the rows below a heading. Reads the generated page and not its generator, so that the test finds errors of the generator. */
function rowsBelow(heading: string): Row[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? "";
  return section
    .split("\n")
    .map((line) => /^\| `([\w{}]+)` \| (.*?) ?\| (.*) \|$/.exec(line))
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

describe.each(processes)("docs/reference/configuration.md, %s", (heading, spec, read) => {
  const rows = [...rowsBelow("API and worker"), ...rowsBelow(heading)];

  test("docs/reference/configuration.md lists exactly the variables of the process", () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      Object.values(spec)
        .flatMap((variable) => [variable.name, ...variablesOfEach(variable).map(({ inTable }) => inTable)])
        .toSorted(),
    );
  });

  test.each(
    Object.entries(spec).flatMap(([key, list]) => variablesOfEach(list).map((each) => ({ ...each, key, list }))),
  )(
    "docs/reference/configuration.md states meaning and real default of $inTable",
    ({ inTable, variable, member, key, list }) => {
      const { value, meaning } = rows.find(({ name }) => name === inTable)!;
      expect(meaning).toBe(`${variable.description}${variable.secret === true ? " *Secret*." : ""}`);
      // REPORT_SOURCES names the source `billing` here, and each configured source requires its URL.
      const others = { REPORT_SOURCE_BILLING_URL: "postgres://user@host/billing" };
      const given = { ...leastEnvironment, ...others, [list.name]: "billing", [variable.name]: "" };
      const readMember = () => (read(given)[key] as Record<string, Record<string, unknown>>)["billing"]![member];
      expect(documentedValue(value, variable)).toEqual(valueWithout(variable, readMember));
    },
  );

  test.each(Object.entries(spec))(
    "docs/reference/configuration.md states meaning and real default of %s",
    (key, variable) => {
      const { value, meaning } = rows.find(({ name }) => name === variable.name)!;
      expect(meaning).toBe(`${variable.description}${variable.secret === true ? " *Secret*." : ""}`);
      const others = variable.name === "STORAGE_DIR" ? otherStore : leastEnvironment;
      const documented = documentedValue(value, variable);
      expect(variable.each === undefined ? documented : {}).toEqual(
        valueWithout(variable, () => read({ ...others, [variable.name]: "" })[key]),
      );
    },
  );
});

function variablesOfEach({ each }: EnvironmentVariable) {
  return Object.entries(each?.variables ?? {}).map(([member, variable]) => ({
    member,
    variable: { ...variable, name: `${each!.prefix}BILLING_${variable.name}` },
    inTable: `${each!.prefix}{NAME}_${variable.name}`,
  }));
}

function documentedValue(text: string, variable: EnvironmentVariable): unknown {
  if (text === "" || text === "required") return text === "" ? undefined : text;
  return text === variable.defaultText ? variable.default : variable.schema.parse(text);
}

function valueWithout({ name }: EnvironmentVariable, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (String(error).includes(name)) return "required";
    throw error;
  }
}
