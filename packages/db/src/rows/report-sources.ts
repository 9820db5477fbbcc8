import { sourceNameOf, type ReportSources, type RowSourceReader } from "@reports/core/report";
import { createRowSourceReader, type RowSourceReaderOptions } from "./report-source.ts";

export function createMultiSourceReader(
  sources: ReportSources,
  options: Pick<RowSourceReaderOptions, "reuseMs" | "parallelWorkers"> = {},
): RowSourceReader {
  const readers = new Map(
    Object.entries(sources).map(([name, settings]) => [name, createRowSourceReader({ ...settings, ...options })]),
  );
  return {
    async open(request) {
      const { type } = request.definition;
      const name = sourceNameOf(request.definition);
      const reader = name === null ? undefined : readers.get(name);
      if (reader === undefined) throw new Error(`${type} is read from the source ${name}, which is not configured.`);
      return reader.open(request);
    },
  };
}
