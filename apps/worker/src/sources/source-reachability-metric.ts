import { mainReportSource, type ReportTypeDefinition, type ReportTypeUsability } from "@reports/core/report";
import type { Metrics } from "@reports/runtime";

export interface SourceReachabilityMetric {
  note(comparison: ReportTypeUsability): ReportTypeUsability;
}

export function createReachabilityMetric(
  metrics: Metrics,
  definitions: readonly Pick<ReportTypeDefinition, "type" | "rows">[],
): SourceReachabilityMetric {
  const sourceOf = new Map(
    definitions.flatMap(({ type, rows }) => (rows.kind === "view" ? [[type, rows.source ?? mainReportSource]] : [])),
  );
  let unreachable: ReadonlySet<string> = new Set();
  metrics.polledGauge(
    {
      name: "report_source_unreachable",
      help: "1 if this worker could not read the views of this source of report rows; reports of its types are retried.",
      labels: ["source"],
    },
    () =>
      [...new Set(sourceOf.values())].map((source) => ({ value: unreachable.has(source) ? 1 : 0, labels: { source } })),
  );
  return {
    note(comparison) {
      unreachable = new Set([...comparison.unknown].flatMap((type) => sourceOf.get(type) ?? []));
      return comparison;
    },
  };
}
