import { findDefinitionProblems } from "./definition-problems.ts";
import { quoteValue } from "./definition-rules.ts";
import { toSchemaNamePrefix } from "./options.ts";
import type { ReportTypeDefinition } from "./type-definition.ts";

/** The report types of a deployment. */
export interface ReportCatalogue {
  find(type: string): ReportTypeDefinition | undefined;
  list(): readonly ReportTypeDefinition[];
}

/** Returns the catalogue. Throws an Error with every problem of the definitions, so that no process starts with an invalid one. */
export function createCatalogue(definitions: readonly ReportTypeDefinition[]): ReportCatalogue {
  const problems = findCatalogueProblems(definitions);
  if (problems.length > 0) throw new Error(`Report types cannot be used:\n- ${problems.join("\n- ")}`);
  const byType = new Map(definitions.map((definition) => [definition.type, definition]));
  const all = [...byType.values()];
  return { find: (type) => byType.get(type), list: () => all };
}

/** Returns every problem of report types that are used together. Each message begins with the name of the type. */
export function findCatalogueProblems(definitions: readonly ReportTypeDefinition[]): string[] {
  const problems: string[] = [];
  const bySchemaName = new Map<string, string>();
  for (const definition of definitions) {
    const name = formatDefinitionName(definition);
    problems.push(...findDefinitionProblems(definition).map((problem) => `${name}: ${problem}`));
    if (name !== definition?.type) continue;
    const schemaName = toSchemaNamePrefix(definition);
    // A type with this name would need an OpenAPI schema `NormalisedSearchParam`, which already describes `searchParam` in records.
    if (schemaName === "Normalised") problems.push(`${name}: a type cannot be called ${name}; OpenAPI uses its name.`);
    const other = bySchemaName.get(schemaName);
    if (other === name) problems.push(`${name} is registered twice.`);
    else if (other !== undefined) problems.push(`${name} and ${other} have the same name in OpenAPI, ${schemaName}.`);
    bySchemaName.set(schemaName, name);
  }
  return problems;
}

/** Returns the name of a definition for messages. Accepts any value, because definitions can come from JavaScript. */
export function formatDefinitionName(definition: unknown): string {
  const type: unknown = (definition as Partial<ReportTypeDefinition> | null | undefined)?.type;
  return typeof type === "string" && /^\w{1,63}$/.test(type)
    ? type
    : `A report type ${typeof type === "string" ? `called ${quoteValue(type)}` : "without a name"}`;
}
