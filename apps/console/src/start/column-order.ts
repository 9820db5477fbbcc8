import type { ReportType } from "@reports/client";

export interface ShownColumns {
  readonly keys: readonly string[];
  /** Whether they are the default, so that the request omits them. */
  readonly isDefault: boolean;
}

/** The shown columns; without a request those that the type shows in the format. */
export function shownColumns(
  type: Pick<ReportType, "columns" | "pdfColumns">,
  format: string,
  requested: readonly string[],
): ShownColumns {
  const own = format === "pdf" ? type.pdfColumns : type.columns.map(({ key }) => key);
  const keys = requested.length === 0 ? own : requested;
  return { keys, isDefault: keys.join() === own.join() };
}

/** Orders all columns so that the shown ones are in sequence: as before if possible, so that removed columns stay in place. */
export function orderColumns(
  shown: readonly string[],
  all: readonly string[],
  before: readonly string[],
): readonly string[] {
  if (before.filter((key) => shown.includes(key)).join() === shown.join()) return before;
  // Other columns follow their predecessor in the catalogue.
  return all.reduce<readonly string[]>(
    (order, key, at) => (order.includes(key) ? order : order.toSpliced(order.indexOf(all[at - 1]!) + 1, 0, key)),
    shown,
  );
}

/** Swaps a column with the shown one before it (-1) or after it (1). */
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
