import type { ReportColumn } from "@reports/core/report";
import { tableStyleName } from "./column-cell-styles.ts";
import { toColumnLetters } from "./to-column-letters.ts";
import { escapeXstring } from "./escape-xstring.ts";

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Returns unique column titles, which Excel requires in a table. A repeated title gets a number. */
export function createUniqueHeaders(columns: readonly Pick<ReportColumn, "title">[]): readonly string[] {
  const taken = new Set<string>();
  return columns.map(({ title }) => {
    let header = title;
    for (let number = 2; taken.has(header.toLowerCase()); number++) header = `${title} (${number})`;
    taken.add(header.toLowerCase());
    return header;
  });
}

export function toTableRange(columns: number, rows: number): string {
  return `A1:${toColumnLetters(columns - 1)}${rows + 1}`;
}

export function tableXml(id: number, columns: readonly Pick<ReportColumn, "title">[], rows: number): string {
  const range = toTableRange(columns.length, rows);
  const names = createUniqueHeaders(columns).map(
    (header, at) => `<tableColumn id="${at + 1}" name="${escapeXstring(header)}"/>`,
  );
  return (
    `${xmlDeclaration}<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="${id}" name="Table${id}" displayName="Table${id}" ref="${range}" totalsRowShown="0">` +
    `<autoFilter ref="${range}"/><tableColumns count="${names.length}">${names.join("")}</tableColumns>` +
    `<tableStyleInfo name="${tableStyleName}" showFirstColumn="0" showLastColumn="0" showRowStripes="1" showColumnStripes="0"/></table>`
  );
}
