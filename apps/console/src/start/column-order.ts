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

/** Moves a column past the shown column before it (-1) or after it (1). */
export function moveColumn(
  order: readonly string[],
  shown: readonly string[],
  key: string,
  step: -1 | 1,
): readonly string[] {
  const other = shown[shown.indexOf(key) + step]!;
  const to = order.indexOf(other);
  return order.filter((one) => one !== key).toSpliced(to, 0, key);
}
