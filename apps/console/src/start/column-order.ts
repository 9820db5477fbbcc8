import type { ReportType } from "@reports/client";

export interface ShownColumns {
  readonly keys: readonly string[];
  readonly isDefault: boolean;
}

export function selectShownColumns(
  type: Pick<ReportType, "columns" | "pdfColumns">,
  format: string,
  requested: readonly string[],
): ShownColumns {
  const own = format === "pdf" ? type.pdfColumns : type.columns.map(({ key }) => key);
  const keys = requested.length === 0 ? own : requested;
  return { keys, isDefault: keys.join() === own.join() };
}

/**
 * Returns the keys of all columns in the order of the form. If the shown columns have the same sequence in `before`, returns `before`, so that an
 * unchecked column stays in place. Otherwise, puts the shown columns in their sequence, and each hidden one after its predecessor in `all`.
 */
export function orderShownAndHiddenColumns(
  shown: readonly string[],
  all: readonly string[],
  before: readonly string[],
): readonly string[] {
  if (before.filter((key) => shown.includes(key)).join() === shown.join()) return before;
  // Puts each hidden column after the column that precedes it in the report type.
  return all.reduce<readonly string[]>(
    (order, key, at) => (order.includes(key) ? order : order.toSpliced(order.indexOf(all[at - 1]!) + 1, 0, key)),
    shown,
  );
}

export type ColumnMove = "first" | "up" | "down" | "last";

export function moveColumn(
  order: readonly string[],
  shown: readonly string[],
  key: string,
  move: ColumnMove,
): readonly string[] {
  const at = shown.indexOf(key);
  const target = { first: 0, up: at - 1, down: at + 1, last: shown.length - 1 }[move];
  const other = shown[target];
  if (other === undefined || other === key) return order;
  const to = order.indexOf(other);
  return order.filter((one) => one !== key).toSpliced(to, 0, key);
}
