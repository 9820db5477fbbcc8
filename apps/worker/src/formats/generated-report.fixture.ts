import type { FoldedRowStream, ReportTypeDefinition } from "@reports/core/report";
import { generateRows } from "../check-types/generate-rows.ts";
import { openObjectRows } from "../wire/object-rows.ts";

/** Opens rows of a type that hold the extreme values of every kind, with their figures, charts and what needs action. */
export async function openGenerated(
  definition: ReportTypeDefinition,
  { count, timezone }: { readonly count: number; readonly timezone: string },
): Promise<FoldedRowStream> {
  return openObjectRows(
    { kind: "objects", rows: () => generateRows(definition.columns, count) },
    {
      // Generated rows meet none of the type's conditions.
      definition: { ...definition, where: [] },
      columns: definition.columns,
      searchParam: {},
      sort: [],
      timezone,
      signal: new AbortController().signal,
    } as unknown as Parameters<typeof openObjectRows>[1],
    new Date("2026-11-25T11:00:00Z"),
  );
}
