import type { ReportColumn } from "@reports/core/report";
import type { WorkbookStyle } from "./column-cell-styles.ts";
import { widenColumnsToFitRows } from "./measured-columns.ts";
import type { PrintSetup } from "./page-setup.ts";
import {
  rowXml,
  sheetOpeningXml,
  tableHeadXml,
  createTableRowsXml,
  tableTailXml,
  createTextCellWriter,
} from "./sheet-parts.ts";
import type { LinkXml } from "./deflated-links.ts";
import { toTableRange } from "./table-part.ts";

/** A table in memory. Its times are already in the report's time zone. */
export interface InMemoryTable {
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
  readonly note?: string;
}

export function renderTableSheet(
  { columns: given, rows, note }: InMemoryTable,
  { printed, ...style }: Pick<WorkbookStyle, "dates" | "numbers"> & { readonly printed: PrintSetup },
): { readonly xml: string; readonly links: LinkXml | null } {
  const columns = widenColumnsToFitRows(given, rows);
  const { words } = printed;
  const more = note === undefined ? [] : [createTextCellWriter(note)];
  // The header is row 1. An empty row separates the table from the note.
  const lastRow = rows.length + 1 + 2 * more.length;
  const opening = sheetOpeningXml(toTableRange(columns.length, lastRow - 1));
  const { xml, links } = createTableRowsXml(columns, rows, { ...style, words });
  const [beforeLinks, afterLinks] = tableTailXml(columns, rows.length, style, printed);
  const noteXml = more.length === 0 ? "" : rowXml(lastRow, more);
  const linksXml = links === null || links.hyperlinks === "" ? "" : `<hyperlinks>${links.hyperlinks}</hyperlinks>`;
  return {
    xml: `${opening}${tableHeadXml(columns, style)}${xml}${noteXml}${beforeLinks}${linksXml}${afterLinks}`,
    links,
  };
}
