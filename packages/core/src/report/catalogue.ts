import type { ReportTypeDefinition } from "./report-type.ts";

/** The report types that this deployment knows. */
export interface ReportCatalogue {
  /** Undefined for a type that is not known; own entries only. */
  find(type: string): ReportTypeDefinition | undefined;
  /** In the order of registration. */
  list(): readonly ReportTypeDefinition[];
}

/** Checks the definitions and makes the catalogue of them. Throws an Error that names everything wrong: a bad definition does not boot. */
export function createCatalogue(definitions: readonly ReportTypeDefinition[]): ReportCatalogue {
  const byType = new Map<string, ReportTypeDefinition>();
  const problems: string[] = [];
  for (const definition of definitions) {
    if (byType.has(definition.type)) problems.push(`${definition.type} is registered twice.`);
    byType.set(definition.type, definition);
    problems.push(...findProblems(definition).map((problem) => `${definition.type}: ${problem}`));
  }
  if (problems.length > 0) throw new Error(`Report types cannot be used:\n- ${problems.join("\n- ")}`);
  const all = [...byType.values()];
  return { find: (type) => byType.get(type), list: () => all };
}

/** Everything that is wrong with a definition. */
export function findProblems(definition: ReportTypeDefinition): string[] {
  const problems: string[] = [];
  const keys = definition.columns.map((column) => column.key);
  const filterNames = definition.filters.map((filter) => filter.name);
  if (!/^[A-Z][A-Z0-9_]{0,62}$/.test(definition.type))
    problems.push("a type is named in UPPER_SNAKE of at most 63 characters.");
  if (!Number.isInteger(definition.version) || definition.version < 1)
    problems.push("the version is an integer from 1.");
  if (keys.length === 0) problems.push("there are no columns.");
  if (new Set(keys).size !== keys.length) problems.push("two columns have the same key.");
  if (new Set(filterNames).size !== filterNames.length) problems.push("two filters have the same name.");
  if (Object.keys(definition.formats).length === 0) problems.push("there are no formats.");
  const attention = definition.summary.attention;
  const used = [
    ...definition.defaultSort.map((sort) => sort.key),
    ...definition.groupable,
    ...(attention?.columns ?? []),
    ...(attention?.sort.map((sort) => sort.key) ?? []),
    ...definition.where.map((condition) => condition.column),
  ];
  for (const key of new Set(used)) {
    if (!keys.includes(key)) problems.push(`${key} is used and is no column.`);
  }
  for (const filter of definition.filters) {
    if (filter.value === "enum" && !filter.values?.length)
      problems.push(`the filter ${filter.name} is an enum without values.`);
  }
  return problems;
}
