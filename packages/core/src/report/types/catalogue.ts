import { problemsOfDefinition } from "./definition-problems.ts";
import { quote } from "./definition-rules.ts";
import { schemaNameOf } from "./options.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";

/** The report types of a deployment. */
export interface ReportCatalogue {
  /** Undefined for an unknown type; own entries only. */
  find(type: string): ReportTypeDefinition | undefined;
  /** In the order of registration. */
  list(): readonly ReportTypeDefinition[];
}

/** Checks the definitions and makes the catalogue. Throws an Error that lists every problem: a bad definition does not boot. */
export function createCatalogue(definitions: readonly ReportTypeDefinition[]): ReportCatalogue {
  const problems = problemsOfTypes(definitions);
  if (problems.length > 0) throw new Error(`Report types cannot be used:\n- ${problems.join("\n- ")}`);
  const byType = new Map(definitions.map((definition) => [definition.type, definition]));
  const all = [...byType.values()];
  return { find: (type) => byType.get(type), list: () => all };
}

/** Lists every problem of report types used together, each sentence beginning with the type. */
export function problemsOfTypes(definitions: readonly ReportTypeDefinition[]): string[] {
  const problems: string[] = [];
  const bySchemaName = new Map<string, string>();
  for (const definition of definitions) {
    const name = nameOf(definition);
    problems.push(...problemsOfDefinition(definition).map((problem) => `${name}: ${problem}`));
    if (name !== definition?.type) continue;
    const schemaName = schemaNameOf(definition);
    // `NormalisedSearchParam` is the schema of every record's searchParam.
    if (schemaName === "Normalised") problems.push(`${name}: a type cannot be called ${name}; OpenAPI uses its name.`);
    const other = bySchemaName.get(schemaName);
    if (other === name) problems.push(`${name} is registered twice.`);
    else if (other !== undefined) problems.push(`${name} and ${other} have the same name in OpenAPI, ${schemaName}.`);
    bySchemaName.set(schemaName, name);
  }
  return problems;
}

/** Returns a definition's name for messages; accepts any value. */
export function nameOf(definition: unknown): string {
  const type: unknown = (definition as Partial<ReportTypeDefinition> | null | undefined)?.type;
  return typeof type === "string" && /^\w{1,63}$/.test(type)
    ? type
    : `A report type ${typeof type === "string" ? `called ${quote(type)}` : "without a name"}`;
}
