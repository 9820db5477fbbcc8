import {
  textsOf,
  translateColumns,
  translateDefinition,
  translateSummary,
  type FoldedRowStream,
  type ReportSummary,
  type RowStream,
} from "@reports/core/report";
import type { DocumentInput } from "./format-renderer.ts";

export function translateDocument<Rows extends RowStream | FoldedRowStream>(
  rows: Rows,
  document: DocumentInput,
): { readonly rows: Rows; readonly document: DocumentInput } {
  const { definition, request } = document;
  const { language } = request.options;
  const texts = textsOf(definition, language);
  const { summary } = rows;
  const translate = (read: ReportSummary): ReportSummary => translateSummary(read, definition, texts);
  return {
    rows: {
      ...rows,
      columns: translateColumns(rows.columns, texts),
      summary: typeof summary === "function" ? () => translate(summary()) : translate(summary),
    },
    document: { ...document, definition: translateDefinition(definition, language) },
  };
}
