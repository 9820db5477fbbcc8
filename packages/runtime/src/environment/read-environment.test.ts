import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import type { ZodType } from "zod";
import { afterAll, describe, expect, it } from "vitest";
import { ConfigurationError } from "../startup-error.ts";
import { describeEnvironment } from "./describe-environment.ts";
import { readEnvironment, type EnvironmentRule, type RawEnvironment } from "./read-environment.ts";
import { reportSourcesOf, defineReportSourceVariables } from "./define-report-source-variables.ts";
import { createNumbersByNameVariable } from "./numbers-by-name-variable.ts";
import { createExactlyOneOfRule, createAllOrNoneRule } from "./rules.ts";
import {
  byteSizeText,
  booleanText,
  integerText,
  listText,
  oneOfText,
  portText,
  postgresUrlText,
  urlText,
} from "./text-schemas.ts";
import { defineEnvironment } from "./variable.ts";

const folder = mkdtempSync(join(tmpdir(), "reports-env-"));
afterAll(() => rmSync(folder, { recursive: true }));

function secretFile(content: string): string {
  const path = join(folder, String(Math.random()));
  writeFileSync(path, content);
  return path;
}

const spec = defineEnvironment({
  port: { name: "PORT", schema: portText(), default: 3000, description: "Where it listens" },
  database: {
    name: "DATABASE_URL",
    schema: urlText(["postgres"]),
    secret: true,
    optional: true,
    description: "Postgres",
  },
  directory: { name: "STORAGE_DIR", schema: listText(), optional: true, description: "Files" },
  level: { name: "LOG_LEVEL", schema: oneOfText(["info", "debug"]), description: "How much is logged" },
});

function problemsOf(environment: RawEnvironment, rules: readonly EnvironmentRule<typeof spec>[] = []): string[] {
  try {
    readEnvironment(spec, environment, rules);
  } catch (error) {
    if (error instanceof ConfigurationError)
      return error.problems.map(({ variable, message }) => `${variable}: ${message}`);
    throw error;
  }
  return [];
}

describe("readEnvironment", () => {
  it("readEnvironment reads values and defaults, and undefined for missing variables", () => {
    const config = readEnvironment(spec, { LOG_LEVEL: "debug", DATABASE_URL: "postgres://u:p@h/d" });
    expect(config).toMatchObject({ port: 3000, level: "debug", directory: undefined });
    expect(config.database?.reveal()).toBe("postgres://u:p@h/d");
  });

  it("readEnvironment lists all problems together, with the allowed values", () => {
    expect(problemsOf({ PORT: "80a", DATABASE_URL: "mysql://u:hunter2@h/d" })).toEqual([
      'PORT: must be a whole number from 0 to 65535; found "80a"',
      "DATABASE_URL: must be a URL that begins with postgres://",
      "LOG_LEVEL: is required; set it: How much is logged",
    ]);
  });

  it("ConfigurationError lists all problems in its message, one per line", () => {
    expect(
      new ConfigurationError([
        { variable: "A", message: "is required" },
        { variable: "B", message: "no" },
      ]).message,
    ).toBe("The configuration has 2 problems:\n  - A: is required\n  - B: no");
  });

  it("readEnvironment treats an empty variable as not set", () => {
    expect(readEnvironment(spec, { PORT: "", LOG_LEVEL: "info", DATABASE_URL_FILE: "" })).toMatchObject({ port: 3000 });
  });

  it("readEnvironment reads a secret from its file, without the newline at the end", () => {
    const path = secretFile("postgres://u:p@h/d\n");
    const config = readEnvironment(spec, { LOG_LEVEL: "info", DATABASE_URL_FILE: path });
    expect(config.database?.reveal()).toBe("postgres://u:p@h/d");
  });

  it("a Secret returns its file's current value, or the first while that is invalid", () => {
    const path = secretFile("postgres://u:p@h/d");
    const { database } = readEnvironment(spec, { LOG_LEVEL: "info", DATABASE_URL_FILE: path });
    for (const [text, current] of [
      ["postgres://u:new@h/d\n", "postgres://u:new@h/d"],
      ["", "postgres://u:p@h/d"],
    ] as const) {
      writeFileSync(path, text);
      expect(database?.current()).toBe(current);
      expect(database?.reveal()).toBe("postgres://u:p@h/d");
    }
  });

  it("a secret is refused if set twice, or if its file is missing, empty or too large", () => {
    const base = { LOG_LEVEL: "info" };
    expect(problemsOf({ ...base, DATABASE_URL: "postgres://h/d", DATABASE_URL_FILE: secretFile("x") })[0]).toMatch(
      /set twice/,
    );
    expect(problemsOf({ ...base, DATABASE_URL_FILE: join(folder, "none") })[0]).toMatch(/cannot be read .*ENOENT/);
    expect(problemsOf({ ...base, DATABASE_URL_FILE: folder })[0]).toMatch(/cannot be read .*EISDIR/);
    expect(problemsOf({ ...base, DATABASE_URL_FILE: secretFile("\n") })[0]).toMatch(/empty file/);
    expect(problemsOf({ ...base, DATABASE_URL_FILE: secretFile("x".repeat(70_000)) })[0]).toMatch(
      /more than 65536 bytes/,
    );
  });

  it("a variable that is not a secret is never read from a file", () => {
    expect(readEnvironment(spec, { LOG_LEVEL: "info", PORT_FILE: secretFile("1") })).toMatchObject({ port: 3000 });
  });

  it("readEnvironment never prints the value of a secret", () => {
    const { database } = readEnvironment(spec, { LOG_LEVEL: "info", DATABASE_URL: "postgres://u:hunter2@h/d" });
    for (const text of [String(database), JSON.stringify({ database }), inspect({ database }, { depth: 9 })]) {
      expect(text).not.toMatch(/hunter2/);
    }
    expect(problemsOf({ DATABASE_URL: "hunter2" }).join()).not.toMatch(/hunter2/);
  });

  it("readEnvironment lists broken rules across variables with the other problems", () => {
    const rule = createExactlyOneOfRule<typeof spec>("database", "directory");
    expect(problemsOf({ LOG_LEVEL: "info" }, [rule])).toEqual([
      "DATABASE_URL, STORAGE_DIR: exactly one of them must be set; none of them is",
    ]);
    const both = { DATABASE_URL: "nonsense", STORAGE_DIR: "/a", LOG_LEVEL: "x" };
    expect(problemsOf(both, [rule])).toHaveLength(3);
    expect(problemsOf({ LOG_LEVEL: "info", STORAGE_DIR: "/a" }, [rule])).toEqual([]);
  });

  it("createAllOrNoneRule reports a missing variable, and one that has no effect alone", () => {
    const rule = createAllOrNoneRule<typeof spec>("database", "directory");
    expect(problemsOf({ LOG_LEVEL: "info", DATABASE_URL: "postgres://h/d" }, [rule])[0]).toMatch(
      /STORAGE_DIR: must be set too/,
    );
    expect(problemsOf({ LOG_LEVEL: "info", STORAGE_DIR: "/a" }, [rule])[0]).toMatch(
      /STORAGE_DIR: has no effect without DATABASE_URL/,
    );
    expect(problemsOf({ LOG_LEVEL: "info" }, [rule])).toEqual([]);
  });
});

describe("the schemas of texts", () => {
  it.each<[string, ZodType, unknown]>([
    ["-5", integerText(-5, 5), -5],
    ["007", integerText(1, 10), 7],
    ["TRUE", booleanText(), true],
    ["off", booleanText(), false],
    ["postgres://u:p,w@h:5432/d?sslmode=require", postgresUrlText(), "postgres://u:p,w@h:5432/d?sslmode=require"],
    ["postgresql:///d?host=/run/postgresql", postgresUrlText(), "postgresql:///d?host=/run/postgresql"],
    [" a, b,,", listText(), ["a", "b"]],
    ["2 GiB", byteSizeText(1, 2 ** 40), 2 ** 31],
    ["512mib", byteSizeText(1, 2 ** 40), 2 ** 29],
    ["1024", byteSizeText(1, 2 ** 40), 1024],
    ["https://a.example/x", urlText(["http", "https"]), "https://a.example/x"],
  ])("a schema of variables reads the text %j", (text, schema, value) => {
    expect(schema.parse(text)).toEqual(value);
  });

  it.each([
    [integerText(1, 10), ["0", "11", "1.5", "1e1", "0x1", " 1", ""]],
    [booleanText(), ["2", "truthy"]],
    [listText(), [",", " "]],
    [byteSizeText(1, 2 ** 40), ["0", "-1", "5 apples", "2TiB", "1.5GiB"]],
    [
      urlText(["http"]),
      ["https://a", "a.example", "http:a", "http://", "javascript:1", "http://a\\@b/", "http://a/ b", "http://a\tb"],
    ],
    [postgresUrlText(), ["mysql://h/d", "postgres://h1,h2/d", "postgres://h1:1,h2:2/d", "postgres:///d?host=h1,h2"]],
    [oneOfText(["a"]), ["A", "toString"]],
  ])("schema %# of variables refuses invalid texts", (schema, texts) => {
    expect(texts.filter((text) => schema.safeParse(text).success)).toEqual([]);
  });
});

describe("postgresUrlText", () => {
  it("postgresUrlText refuses several hosts, with one message that says what to do", () => {
    const { error } = postgresUrlText().safeParse("postgres://u:p@h1:5432,h2:5432/d");
    expect(error?.issues.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^must name one host: .* pooler$/),
    ]);
  });
});

describe("describeEnvironment", () => {
  it("describeEnvironment returns names and defaults of variables, no secret default", () => {
    const described = describeEnvironment({
      ...spec,
      secret: { name: "S", schema: listText(), secret: true, default: ["hunter2"], description: "s" },
    });
    expect(described.map(({ name, required, default: text }) => [name, required, text])).toEqual([
      ["PORT", false, "3000"],
      ["DATABASE_URL", false, null],
      ["STORAGE_DIR", false, null],
      ["LOG_LEVEL", true, null],
      ["S", false, null],
    ]);
  });
});

describe("variables of each name in a list", () => {
  const sources = defineReportSourceVariables(["postgres", "other"], "main");
  const read = (environment: RawEnvironment) =>
    reportSourcesOf(readEnvironment({ ...spec, ...sources }, { LOG_LEVEL: "info", ...environment }));
  const problems = (environment: RawEnvironment): string[] => {
    try {
      read(environment);
    } catch (error) {
      return (error as ConfigurationError).problems.map(({ variable, message }) => `${variable}: ${message}`);
    }
    return [];
  };

  it("variables per name in a list have defaults, and their secrets come from files", () => {
    expect(read({})).toEqual({});
    const path = secretFile("postgres://u:p@a:5432,b/d?sslmode=require\n");
    expect(
      read({
        REPORT_SOURCES: "billing, edge_2",
        REPORT_SOURCE_BILLING_URL: "postgres://u:p@h/d",
        REPORT_SOURCE_EDGE_2_URL_FILE: path,
        REPORT_SOURCE_EDGE_2_ENGINE: "other",
        REPORT_SOURCE_GONE_URL: "",
      }),
    ).toEqual({
      billing: { url: "postgres://u:p@h/d", engine: "postgres" },
      edge_2: { url: "postgres://u:p@a:5432,b/d?sslmode=require", engine: "other" },
    });
  });

  it("problems of variables per name in a list are reported without secrets", () => {
    const found = problems({
      REPORT_SOURCES: "billing,edge",
      REPORT_SOURCE_BILLING_URL: "mysql://u:hunter2@a,b/d",
      REPORT_SOURCE_BILING_ENGINE: "other",
      REPORT_SOURCE_BILLING_ENGINE: "mysql",
      PORT: "x",
    });
    expect(found).toEqual([
      expect.stringMatching(/^PORT: /),
      "REPORT_SOURCE_BILING_ENGINE: is not read: REPORT_SOURCES names billing, edge, and each has _URL, _URL_FILE and _ENGINE; add its name there, or unset it",
      expect.stringMatching(/^REPORT_SOURCE_BILLING_URL: must be a URL .* several separated by commas$/),
      'REPORT_SOURCE_BILLING_ENGINE: must be one of postgres, other; found "mysql"',
      expect.stringMatching(/^REPORT_SOURCE_EDGE_URL: is required; set it \(or REPORT_SOURCE_EDGE_URL_FILE\)/),
    ]);
    expect(found.join()).not.toContain("hunter2");
    expect(problems({ REPORT_SOURCE_EDGE_URL: "postgres://u:hunter2@h/d" })).toEqual([
      expect.stringMatching(/^REPORT_SOURCE_EDGE_URL: is not read: REPORT_SOURCES names none/),
    ]);
    for (const names of ["a b", "A", "a,a", "main", "1a"])
      expect(problems({ REPORT_SOURCES: names })).toEqual([expect.stringMatching(/^REPORT_SOURCES: must/)]);
  });

  it("variables per name in a list are described once, with {NAME} as the name", () => {
    expect(describeEnvironment(sources).map(({ name, required, secret }) => [name, required, secret])).toEqual([
      ["REPORT_SOURCES", false, false],
      ["REPORT_SOURCE_{NAME}_URL", true, true],
      ["REPORT_SOURCE_{NAME}_ENGINE", false, false],
    ]);
  });
});

describe("createNumbersByNameVariable", () => {
  const { schema, default: usual, defaultText } = createNumbersByNameVariable(["quick", "bulk"], [0, 5_000], 600);

  it("createNumbersByNameVariable reads one number for all names, or numbers for some of them", () => {
    expect(usual).toEqual({ quick: 600, bulk: 600 });
    expect(schema.parse(defaultText)).toEqual(usual);
    expect(schema.parse("0")).toEqual({ quick: 0, bulk: 0 });
    expect(schema.parse("quick:60, bulk:3600")).toEqual({ quick: 60, bulk: 3_600 });
    expect(schema.parse("bulk:5000")).toEqual({ quick: 600, bulk: 5_000 });
  });

  it.each(["", "5001", "-1", "slow:1", "quick:1,quick:2", "60,bulk:1", "1,2", "quick:", "quick:1.5", "quick:5001"])(
    "createNumbersByNameVariable refuses %j and says what is allowed",
    (text) => {
      expect(schema.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
        "must be a whole number from 0 to 5000, or one for each name, such as quick:600,bulk:600",
      ]);
    },
  );
});
