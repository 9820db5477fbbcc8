import type { ReportType } from "@reports/client";

/** The columns that a report shows, in their order. */
export interface ShownColumns {
  readonly keys: readonly string[];
  /** Whether it shows them by itself, so that nothing has to be said. */
  readonly isDefault: boolean;
}

/** What is shown where these columns are asked for; none asked for is what the type shows in the format. */
export function shownColumns(
  type: Pick<ReportType, "columns" | "pdfColumns">,
  format: string,
  asked: readonly string[],
): ShownColumns {
  const own = format === "pdf" ? type.pdfColumns : type.columns.map(({ key }) => key);
  const keys = asked.length === 0 ? own : asked;
  return { keys, isDefault: keys.join() === own.join() };
}

/**
 * All columns in an order in which those that are shown follow one another as they should. It is the one from before where that does: what is
 * taken away stays in its place.
 */
export function orderOf(
  shown: readonly string[],
  all: readonly string[],
  before: readonly string[],
): readonly string[] {
  if (before.filter((key) => shown.includes(key)).join() === shown.join()) return before;
  // Each of the others stands behind the one that it follows in the catalogue.
  return all.reduce<readonly string[]>(
    (order, key, at) => (order.includes(key) ? order : order.toSpliced(order.indexOf(all[at - 1]!) + 1, 0, key)),
    shown,
  );
}

/** The order after a column has changed places with the one that is shown before (-1) or behind it (1). */
export function movedIn(
  order: readonly string[],
  shown: readonly string[],
  key: string,
  step: -1 | 1,
): readonly string[] {
  const other = shown[shown.indexOf(key) + step]!;
  const to = order.indexOf(other);
  return order.filter((one) => one !== key).toSpliced(to, 0, key);
}
