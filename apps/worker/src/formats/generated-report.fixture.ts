import type { FoldedRowStream, ReportTypeDefinition } from "@reports/core/report";
import { generateRows } from "../check-types/generate-rows.ts";
import { openObjectRows } from "../wire/object-rows.ts";
import { testObjectRowsContext } from "./rows.fixture.ts";

export async function openGeneratedRows(
  definition: ReportTypeDefinition,
  { count, timezone }: { readonly count: number; readonly timezone: string },
): Promise<FoldedRowStream> {
  return openObjectRows(
    { kind: "objects", rows: () => generateRows(definition.columns, count) },
    {
      // Generated rows don't meet the type's fixed conditions, which would filter them out.
      definition: { ...definition, where: [] },
      columns: definition.columns,
      searchParam: {},
      sort: [],
      timezone,
      signal: new AbortController().signal,
    } as unknown as Parameters<typeof openObjectRows>[1],
    testObjectRowsContext,
  );
}
