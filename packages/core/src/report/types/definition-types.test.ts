import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../../..");
/** Maximum number of lines of a message. TypeScript writes one line per level of a nested type. */
const maxLines = 7;

const wrong: Readonly<Record<string, readonly [definition: string, ...texts: readonly string[]]>> = {
  "a misspelt field of the definition": ["colums: []", 'NoSuchField<"colums"', '".columns"'],
  "another misspelt field": ["groupBy: 1", 'NoSuchField<"groupBy"', '".groupable"'],
  "a misspelt field of a column": [
    'columns: [{ key: "name", title: "N", kind: "text", widht: 3 }]',
    "'widht' does not exist",
    "Did you mean to write 'width'?",
  ],
  "an unknown kind": ['columns: [{ key: "name", title: "N", kind: "txt" }]', '"txt"', '"timestamp"', "Did you mean"],
  "an unknown tone": [
    'columns: [{ key: "name", title: "N", kind: "text", tones: { A: "red" } }]',
    '"red"',
    '"bad" | "good" | "muted" | "warn"',
  ],
  "an unknown column of a pdf": ['pdfColumns: ["nam"]', `'"nam"' is not assignable to type '"name"'`],
  "an unknown column of groups": ['groupable: ["nam"]', `'"nam"' is not assignable to type '"name"'`],
  "an unknown column of a condition": ['where: [{ column: "nam", isNull: true }]', `'"nam"'`, `'"name"'`],
  "a misspelt part of a condition": ['where: [{ column: "name", isNul: true }]', "'isNul'", "'isNull'"],
  "an unknown operator": [
    'filters: [{ name: "q", operator: "is", value: "text", columns: ["name"], description: "Q." }]',
    '"is"',
    '"contains"',
  ],
  "an unknown column of a filter": [
    'filters: [{ name: "q", operator: "in", value: "text", columns: ["nam"], description: "Q." }]',
    `'"nam"' is not assignable to type '"name"'`,
  ],
  "an unknown column of a figure": [
    'summary: { figures: [{ key: "a", title: "A", kind: "integer", aggregate: { kind: "sum", column: "nam" } }] }',
    `'"nam"' is not assignable to type '"name"'`,
  ],
  "an unknown format": ["formats: { docx: {} }", "'docx' does not exist", '"xlsx"'],
};

const linesOf = (definition: string): string => `
defineReportTypes([{ authority: "A", definition: { type: "A", version: 1, title: "A",
  columns: [{ key: "name", title: "Name", kind: "text" }], rows, ${definition} } }]);`;

let folder: string;
let messages: ReadonlyMap<number, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "definition-types-"));
  const configuration = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: { noEmit: true, composite: false, incremental: false, types: [], skipLibCheck: true },
    include: ["*.ts"],
  };
  const head = `import { defineReportTypes } from ${JSON.stringify(join(root, "packages/core/src/report-type.ts"))};
const rows = { kind: "objects", async *rows() { yield { name: "a" }; } } as const;`;
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(configuration));
  for (const [at, [definition]] of Object.values(wrong).entries())
    await writeFile(join(folder, `case-${at}.ts`), `${head}${linesOf(definition)}\n`);
  const output = await new Promise<string>((resolve) => {
    const flags = ["--project", folder, "--pretty", "false"];
    execFile(join(root, "node_modules/.bin/tsc"), flags, { cwd: folder }, (_, text) => resolve(text));
  });
  const found = output.split(/^(?=\S*case-\d+\.ts\()/m);
  messages = new Map(found.map((text) => [Number(/case-(\d+)\.ts/.exec(text)?.[1]), text.trim()]));
});
afterAll(async () => rm(folder, { recursive: true }));

test.each(Object.entries(wrong).map(([name, [, ...texts]], at) => ({ name, texts, at })))(
  "the TypeScript error for a wrong definition names $name and the allowed names",
  ({ texts, at }) => {
    const message = messages.get(at) ?? "TypeScript accepted the definition.";
    for (const text of texts) expect(message).toContain(text);
    expect(message.split("\n").length).toBeLessThanOrEqual(maxLines);
  },
);
