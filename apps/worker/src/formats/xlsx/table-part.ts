import type { ReportColumn } from "@reports/core/report";
import { tableStyleName } from "./cell-styles.ts";
import { columnName } from "./column-name.ts";
import { xmlText } from "./xml-text.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** What stands above each column of a table: its title, with a number where another column has it, because a table's names are unique. */
export function headersOf(columns: readonly Pick<ReportColumn, "title">[]): readonly string[] {
  const taken = new Set<string>();
  return columns.map(({ title }) => {
    let header = title;
    for (let number = 2; taken.has(header.toLowerCase()); number++) header = `${title} (${number})`;
    taken.add(header.toLowerCase());
    return header;
  });
}

/** The cells of a table with its header, as formulas write them. */
export function tableRange(columns: number, rows: number): string {
  return `A1:${columnName(columns - 1)}${rows + 1}`;
}

/** xl/tables/tableN.xml: gives the rows of a sheet their stripes and their filter. A table has a row at least. */
export function tableXml(id: number, columns: readonly Pick<ReportColumn, "title">[], rows: number): string {
  const range = tableRange(columns.length, rows);
  const names = headersOf(columns).map((header, at) => `<tableColumn id="${at + 1}" name="${xmlText(header)}"/>`);
  return (
    `${declaration}<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="${id}" name="Table${id}" displayName="Table${id}" ref="${range}" totalsRowShown="0">` +
    `<autoFilter ref="${range}"/><tableColumns count="${names.length}">${names.join("")}</tableColumns>` +
    `<tableStyleInfo name="${tableStyleName}" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>`
  );
}
