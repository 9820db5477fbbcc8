import { formatProperties, type FoldedRowStream, type RowStream } from "@reports/core/report";
import type { DocumentInput } from "../formats/format-renderer.ts";
import { selectShownColumnKeys, selectLinkAndCurrencyKeys } from "../formats/group-rows.ts";
import { selectAvailableSubtotals } from "../formats/subtotals.ts";
import { createGroupFold, type GroupFold } from "../wire/fold-groups.ts";
import { selectWireColumns } from "../wire/select-wire-columns.ts";
import { tapRows } from "../wire/tap-rows.ts";

/**
 * Folds the subtotals of groups while the rows pass, for formats that list groups after the rows. Removes the columns that only the subtotals need.
 * Formats that show groups under headings fold them themselves, so `groups` is null for them.
 */
export function foldGroupedRows<Rows extends RowStream | FoldedRowStream>(
  rows: Rows,
  { request, definition }: DocumentInput,
): { readonly rows: Rows; readonly groups: GroupFold | null } {
  const { options } = request;
  const { groupBy, timezone } = options;
  const { columns } = rows;
  if (groupBy === null || formatProperties[options.format].showsGroups) return { rows, groups: null };
  const figures = selectAvailableSubtotals(definition, options, columns);
  const shown = new Set([...selectShownColumnKeys(options), ...selectLinkAndCurrencyKeys(options, rows)]);
  const to = columns.filter(({ key }) => shown.has(key));
  const hasGroups = figures.length > 0 && columns.some(({ key }) => key === groupBy);
  const groups = hasGroups ? createGroupFold(figures, { columns, groupBy, timezone }) : null;
  const passed = groups === null ? rows.bytes : tapRows(rows.bytes, groups.add);
  return { rows: { ...rows, columns: to, bytes: selectWireColumns(passed, { from: columns, to }) }, groups };
}
