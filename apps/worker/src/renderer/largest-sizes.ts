import type { FoldedRowStream, ReportSummary, ReportTypeDefinition, RowStream } from "@reports/core/report";

/** Prefix of the keys of the figures that this module adds. The keys of a definition can't contain a colon, so no key is used twice. */
const prefix = "largest:";

/** Adds a figure per column of sizes, so that the source returns the largest size with the summary, before the rows. xlsx chooses a unit by it. */
export function addLargestByteSizeFigures(
  definition: ReportTypeDefinition,
  columns: readonly string[],
): ReportTypeDefinition {
  const figures = definition.columns
    .filter(({ key, kind }) => kind === "bytes" && columns.includes(key))
    .map(({ key, title }) => ({
      key: `${prefix}${key}`,
      title,
      kind: "bytes" as const,
      aggregate: { kind: "max" as const, column: key },
    }));
  const { summary } = definition;
  return { ...definition, summary: { ...summary, figures: [...summary.figures, ...figures] } };
}

/**
 * Moves the figures that addLargestByteSizeFigures has added from the summary to a map by column key. The map is empty if the summary is computed
 * after the rows.
 */
export function extractLargestByteSizes<Rows extends RowStream | FoldedRowStream>(
  rows: Rows,
): { readonly rows: Rows; readonly largestSizes: ReadonlyMap<string, string> } {
  const { summary } = rows;
  const isAdded = ({ key }: { readonly key: string }): boolean => key.startsWith(prefix);
  const strip = (read: ReportSummary): ReportSummary => ({
    ...read,
    figures: read.figures.filter((figure) => !isAdded(figure)),
  });
  if (typeof summary === "function")
    return { rows: { ...rows, summary: () => strip(summary()) }, largestSizes: new Map() };
  const largest = summary.figures.filter(isAdded).map(({ key, value }) => [key.slice(prefix.length), value] as const);
  const largestSizes = new Map(largest.filter((pair): pair is readonly [string, string] => pair[1] !== null));
  return { rows: { ...rows, summary: strip(summary) }, largestSizes };
}
