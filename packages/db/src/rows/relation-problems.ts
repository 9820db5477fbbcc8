import type { ReportTypeDefinition } from "@reports/core/report";
import { createReportQueryBuilder } from "./report-query.ts";

export function findRelationProblems(definitions: readonly ReportTypeDefinition[]): readonly string[] {
  return definitions
    .filter(({ rows }) => rows.kind === "relation")
    .flatMap((definition) => {
      const { type, columns, filters, where } = definition;
      const named = [
        ...columns.map(({ key }) => key),
        ...filters.flatMap((filter) => filter.columns),
        ...where.map(({ column }) => column),
      ];
      try {
        const { relation } = createReportQueryBuilder({
          definition: { ...definition, where: [] },
          searchParam: {},
          timezone: "UTC",
        });
        return [...new Set(named)]
          .filter((key) => !Object.hasOwn(relation.columns, key))
          .map((key) => `${type}: the relation ${relation.name} has no column ${key}.`);
      } catch (error) {
        return [(error as Error).message];
      }
    });
}
