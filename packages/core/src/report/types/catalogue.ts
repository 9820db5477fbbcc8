import { problemsOfDefinition } from "./definition-problems.ts";
import { quote } from "./definition-rules.ts";
import { schemaNameOf } from "./options.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";

/** The report types that this deployment knows. */
export interface ReportCatalogue {
  /** Undefined for a type that is not known; own entries only. */
  find(type: string): ReportTypeDefinition | undefined;
  /** In the order of registration. */
  list(): readonly ReportTypeDefinition[];
}

/** Checks the definitions and makes the catalogue of them. Throws an Error that names everything wrong: a bad definition does not boot. */
export function createCatalogue(definitions: readonly ReportTypeDefinition[]): ReportCatalogue {
  const problems = problemsOfTypes(definitions);
  if (problems.length > 0) throw new Error(`Report types cannot be used:\n- ${problems.join("\n- ")}`);
  const byType = new Map(definitions.map((definition) => [definition.type, definition]));
  const all = [...byType.values()];
  return { find: (type) => byType.get(type), list: () => all };
}

/** Everything that is wrong with report types that are to be used together, each sentence beginning with the type. */
export function problemsOfTypes(definitions: readonly ReportTypeDefinition[]): string[] {
  const problems: string[] = [];
  const bySchemaName = new Map<string, string>();
  for (const definition of definitions) {
    const name = nameOf(definition);
    problems.push(...problemsOfDefinition(definition).map((problem) => `${name}: ${problem}`));
    if (name !== definition?.type) continue;
    const schemaName = schemaNameOf(definition);
    // `NormalisedSearchParam` is the searchParam of every record.
    if (schemaName === "Normalised") problems.push(`${name}: a type cannot be called ${name}; OpenAPI uses its name.`);
    const other = bySchemaName.get(schemaName);
    if (other === name) problems.push(`${name} is registered twice.`);
    else if (other !== undefined) problems.push(`${name} and ${other} have the same name in OpenAPI, ${schemaName}.`);
    bySchemaName.set(schemaName, name);
  }
  return problems;
}

/** What a definition is called in messages, whatever was handed over as one. */
export function nameOf(definition: unknown): string {
  const type: unknown = (definition as Partial<ReportTypeDefinition> | null | undefined)?.type;
  return typeof type === "string" && /^\w{1,63}$/.test(type)
    ? type
    : `A report type ${typeof type === "string" ? `called ${quote(type)}` : "without a name"}`;
}
