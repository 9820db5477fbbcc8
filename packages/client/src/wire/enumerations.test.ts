import * as wire from "@reports/core/http";
import { expect, test } from "vitest";

interface Component {
  readonly description?: string;
  readonly enum?: readonly string[];
}

interface Schema {
  toJSONSchema(options: { readonly unrepresentable: "any" }): { readonly $defs?: Readonly<Record<string, Component>> };
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && "toJSONSchema" in value;

/** The lists of values to which the wire's schemas give a name, each once. */
const enumerations = Object.entries(
  Object.assign(
    {},
    ...Object.values(wire as Readonly<Record<string, unknown>>)
      .filter(isSchema)
      .map((schema) => schema.toJSONSchema({ unrepresentable: "any" }).$defs),
  ) as Readonly<Record<string, Component>>,
).filter((entry): entry is [string, Required<Component>] => entry[1].enum !== undefined);

/** Those whose values programs show to people: they are there when the program runs, too. */
const shown = ["Compression", "Orientation", "Paper", "ReportFormat", "ReportStatus", "WebhookEventType"];

/** In the layout that oxfmt gives it. */
function declare(head: string, values: readonly string[], [open, separator, close]: readonly string[]): string {
  const quoted = values.map((value) => JSON.stringify(value));
  const line = `${head}${open}${quoted.join(separator)}${close};`;
  if (line.length <= 120) return line;
  if (separator === ", ") return `${head}${open}\n${quoted.map((value) => `  ${value},\n`).join("")}${close};`;
  const inner = `  ${quoted.join(separator)}`;
  const rows = inner.length <= 120 ? inner : quoted.map((value) => `  | ${value}`).join("\n");
  return `${head}${open}\n${rows}\n${close};`;
}

function typeOf([name, { description, enum: values }]: (typeof enumerations)[number]): string {
  const list = `${name[0]!.toLowerCase()}${name.slice(1)}${name.endsWith("s") ? "es" : "s"}`;
  const says = description.replace(/ Later versions add more\.$/, "");
  const comment = says.length <= 113 ? `/** ${says} */` : `/**${says.replaceAll(/(.{1,117})(?: |$)/g, "\n * $1")}\n */`;
  const type = `${comment}\n${declare(`export type ${name} = `, values, ["Open<", " | ", ">"])}\n`;
  if (!shown.includes(name)) return type;
  return `${type}/** Those that this version knows. */\n${declare(`export const ${list} = `, values, ["[", ", ", "] as const"])}\n`;
}

test("enumerations.ts has every list of values that the wire gives a name: it is what `pnpm generate client-enumerations` writes", async () => {
  const types = enumerations.toSorted(([a], [b]) => a.localeCompare(b)).map(typeOf);
  const head = `// Written by \`pnpm generate client-enumerations\` from the schemas of the wire.\nimport type { Open } from "./open.ts";\n`;
  await expect([head, ...types].join("\n")).toMatchFileSnapshot("enumerations.ts");
});
