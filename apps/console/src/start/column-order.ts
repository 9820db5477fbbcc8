import type { ReportType } from "@reports/client";

export interface ShownColumns {
  readonly keys: readonly string[];
  /** Whether these are the default columns, which a request omits. */
  readonly isDefault: boolean;
}

/** Returns the columns to show: the requested ones, or the default columns of the type and format. */
export function selectShownColumns(
  type: Pick<ReportType, "columns" | "pdfColumns">,
  format: string,
  requested: readonly string[],
): ShownColumns {
  const own = format === "pdf" ? type.pdfColumns : type.columns.map(({ key }) => key);
  const keys = requested.length === 0 ? own : requested;
  return { keys, isDefault: keys.join() === own.join() };
}

/** Orders all columns, keeping the sequence of the shown ones. Keeps the previous order if it fits, so that a removed column stays in place. */
export function orderColumns(
  shown: readonly string[],
  all: readonly string[],
  before: readonly string[],
): readonly string[] {
  if (before.filter((key) => shown.includes(key)).join() === shown.join()) return before;
  // Puts each hidden column after its predecessor in the catalogue.
  return all.reduce<readonly string[]>(
    (order, key, at) => (order.includes(key) ? order : order.toSpliced(order.indexOf(all[at - 1]!) + 1, 0, key)),
    shown,
  );
}

/** The ways to move a column: past the shown column before or after it, or to either end of the shown columns. */
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
