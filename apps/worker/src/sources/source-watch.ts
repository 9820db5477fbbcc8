import { mainReportSource, type ReportTypeDefinition, type TypeComparison } from "@reports/core/report";
import type { Metrics } from "@reports/runtime";

/** Which sources of views could not be asked when types were last compared with them. */
export interface SourceWatch {
  /** Takes what a comparison found, and gives it on. */
  note(comparison: TypeComparison): TypeComparison;
}

/** Makes the watch, and describes it: 0 for a source that answered, 1 for one that did not; before the first comparison 0. */
export function createSourceWatch(
  metrics: Metrics,
  definitions: readonly Pick<ReportTypeDefinition, "type" | "rows">[],
): SourceWatch {
  const sourceOf = new Map(
    definitions.flatMap(({ type, rows }) => (rows.kind === "view" ? [[type, rows.source ?? mainReportSource]] : [])),
  );
  let away: ReadonlySet<string> = new Set();
  metrics.polledGauge(
    {
      name: "report_source_unreachable",
      help: "1 for a source of report rows that this worker could not ask for its views: reports of its types are retried.",
      labels: ["source"],
    },
    () => [...new Set(sourceOf.values())].map((source) => ({ value: away.has(source) ? 1 : 0, labels: { source } })),
  );
  return {
    note(comparison) {
      away = new Set([...comparison.unknown].flatMap((type) => sourceOf.get(type) ?? []));
      return comparison;
    },
  };
}
