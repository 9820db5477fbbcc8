import type { ReportTypeDefinition, ReportSourceSettings } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { findUnusableReportTypes } from "./find-unusable-report-types.ts";
import type { createRowSourceReader } from "./report-source.ts";

const definition: ReportTypeDefinition = defineReportTypes([
  {
    authority: "A",
    definition: {
      type: "VIEWED",
      version: 1,
      title: "Viewed",
      columns: [{ key: "name", title: "Name", kind: "text" }],
      rows: { kind: "view", view: "items", id: "id", columns: { name: { column: "name", type: "text" } } },
    },
  },
]).reportTypes[0]!.definition;
export const viewedTypeRequest: Parameters<ReturnType<typeof createRowSourceReader>["open"]>[0] = {
  definition,
  columns: definition.columns,
  searchParam: {},
  sort: [],
  timezone: "UTC",
  statementTimeoutMs: 60_000,
  signal: new AbortController().signal,
};

export async function checkViewedType(settings: ReportSourceSettings) {
  const { unusable, unknown } = await findUnusableReportTypes([definition], { main: settings }, { timeoutMs: 60_000 });
  return { problem: unusable.get("VIEWED") ?? null, isUnknown: unknown.has("VIEWED") };
}

export const refusingSourceEngine = "postgres" as const;
