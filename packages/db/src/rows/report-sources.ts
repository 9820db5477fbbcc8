import { mainReportSource, type ReportSources, type RowSourceReader } from "@reports/core";
import { createReportSource, type ReportSourceOptions } from "./report-source.ts";

/** Rows of every definition that a database holds, each from the source that its definition names. */
export function createReportSources(
  sources: ReportSources,
  options: Pick<ReportSourceOptions, "reuseMs"> = {},
): RowSourceReader {
  const readers = new Map(
    Object.entries(sources).map(([name, settings]) => [name, createReportSource({ ...settings, ...options })]),
  );
  return {
    async open(request) {
      const reader = readers.get(mainReportSource);
      if (reader === undefined) throw new Error(`The source ${mainReportSource} is not configured.`);
      return reader.open(request);
    },
  };
}
