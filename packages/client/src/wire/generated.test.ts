import { readdirSync } from "node:fs";
import { join } from "node:path";
import { domainsCollection } from "@reports/core/inventory";
import * as wire from "@reports/core/wire";
import { expect, expectTypeOf, test } from "vitest";
import { toNamedSchema, type ZodSchemaLike } from "../test/convert-schema.ts";
import { renderFieldsModule } from "../test/render-fields-module.ts";
import { renderTypeDeclaration, renderValuesConstant, listReferencedSchemaNames } from "../test/print-types.ts";
import { createWireTypeDeclarations, type WireTypeDeclaration } from "../test/wire-declarations.ts";
import type { Domain, DomainInput, Proxy, ProxyInput } from "./generated/inventory.ts";

const header = "// Written by `pnpm generate client-enumerations` from the schemas of the wire.\n";

/** Enumerations whose values are also exported as lists, for programs that show them to people. */
const shown = [
  "Compression",
  "DeliveryStatus",
  "Language",
  "Orientation",
  "Paper",
  "ReportFormat",
  "ReportStatus",
  "WebhookEventType",
  "WebhookStatus",
];

/** Types that are written by hand and that generated files import. */
const byHand = { ListQuery: "../list-query.ts", Open: "../open.ts" };

/** Schemas without a type of the same name. `RotatedSecret` is the type of the first one, and no caller needs types of the other two. */
const withoutType = ["RotatedWebhookSecret", "RotateWebhookSecret", "DeliveryInput"];

type FiledDeclaration = WireTypeDeclaration & { readonly file: string };

const declared = new Map<string, FiledDeclaration>();
const files = createWireTypeDeclarations();
for (const [file, declarations] of Object.entries(files))
  for (const declaration of declarations) {
    declareIn(file, declaration);
    for (const [name, schema] of Object.entries(declaration.components))
      declareIn(file, { name, schema, components: {} });
  }

function declareIn(file: string, declaration: WireTypeDeclaration): void {
  const { name, schema } = declaration;
  if (!declared.has(name))
    declared.set(name, { ...declaration, file: schema.enum === undefined ? file : "enumerations" });
}

/** Returns the text of a generated file. */
function textOf(file: string): string {
  const own = [...declared.values()].filter((declaration) => declaration.file === file);
  const sorted = file === "enumerations" ? own.toSorted((a, b) => a.name.localeCompare(b.name)) : own;
  const text = sorted.map(print).join("\n");
  const used = new Set(
    own.flatMap(({ schema, extending = "" }) => [...listReferencedSchemaNames(schema), ...wordsOf(extending)]),
  );
  if (text.includes("Open<")) used.add("Open");
  const importPaths: Readonly<Record<string, string>> = {
    ...byHand,
    ...Object.fromEntries([...declared.values()].map((each) => [each.name, `./${each.file}.ts`])),
  };
  const imports = Object.entries(Object.groupBy([...used].toSorted(), (name) => importPaths[name] ?? ""))
    .filter(([from]) => from !== `./${file}.ts` && from !== "")
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([from, names]) => printImport(names!, from));
  return `${header}${imports.join("")}${imports.length === 0 ? "" : "\n"}${text}`;
}

function print({ name, schema, ...rest }: FiledDeclaration): string {
  const values = schema.enum !== undefined && shown.includes(name) ? renderValuesConstant(name, schema.enum) : "";
  return renderTypeDeclaration({ name, schema, ...rest }) + values;
}

function printImport(names: readonly string[], from: string): string {
  const line = `import type { ${names.join(", ")} } from "${from}";\n`;
  return line.length <= 121
    ? line
    : `import type {\n${names.map((name) => `  ${name},\n`).join("")}} from "${from}";\n`;
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\w+/g) ?? [];
}

test.each([...Object.keys(files), "enumerations"])("generated/%s.ts matches the schemas of the wire", async (file) => {
  await expect(textOf(file)).toMatchFileSnapshot(`generated/${file}.ts`);
});

test("generated/fields.ts matches the bodies of the wire", async () => {
  await expect(`${header}${renderFieldsModule(declared, shown)}`).toMatchFileSnapshot("generated/fields.ts");
});

test("the folder of generated files has only files that the command writes", () => {
  const written = [...Object.keys(files), "enumerations", "fields"].map((file) => `${file}.ts`);
  const found = readdirSync(join(import.meta.dirname, "generated"));
  expect(found.filter((file) => !written.includes(file))).toEqual([]);
});

test("every schema of the wire has a type", () => {
  const schemas = Object.values<unknown>(wire).filter(
    (value): value is ZodSchemaLike => typeof value === "object" && value !== null && "toJSONSchema" in value,
  );
  const names = schemas.map((schema) => toNamedSchema(schema, "output").name).filter((name) => name !== "");
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !declared.has(name) && !withoutType.includes(name))).toEqual([]);
});

test("the list of all domains takes every filter of the list of a proxy's domains", () => {
  const across = domainsCollection.acrossParents!.filters.map(({ name }) => name);
  expect(across).toEqual(expect.arrayContaining(domainsCollection.filters.map(({ name }) => name)));
});

test("a record of the inventory can be written back as it was read", () => {
  expectTypeOf<Proxy>().toExtend<ProxyInput>();
  expectTypeOf<Domain>().toExtend<DomainInput>();
});
