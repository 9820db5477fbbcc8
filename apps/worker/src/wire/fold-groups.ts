import { createTimestampConverter } from "@reports/core/base";
import { type FigureDefinition, type ObjectCell, type ReportColumn } from "@reports/core/report";
import { createAggregateFold, type AggregateFold } from "./fold-aggregate.ts";
import { parseTextArray, type WireRow } from "./read-rows.ts";
import { createFoldedValueBudget } from "./folded-value-budget.ts";
import { areEqualValues } from "./to-equality-key.ts";

/**
 * Limits on the number of groups that are listed after the rows, and on the characters of their values. Groups within both limits take at most 100
 * MB of memory.
 */
export const maxListedGroups = 100_000;
const maxCharacters = 20_000_000;

export interface SubtotalFold {
  add(row: WireRow): void;
  values(): readonly (string | null)[];
}

export function createSubtotalFold(
  figures: readonly FigureDefinition[],
  columns: readonly ReportColumn[],
): () => SubtotalFold {
  const fields = new Map(columns.map(({ key, kind }, field) => [key, { field, isList: kind === "list" }]));
  let current: WireRow = [];
  const row = {
    cell(key: string): ObjectCell {
      const { field, isList } = fields.get(key)!;
      const value = current[field] ?? null;
      return isList && value !== null ? parseTextArray(value).filter((element) => element !== null) : value;
    },
  };
  return () => {
    const setting = { columns, budget: createFoldedValueBudget() };
    const folds: readonly AggregateFold[] = figures.map(({ aggregate }) => createAggregateFold(aggregate, [], setting));
    return {
      add(next) {
        current = next;
        for (const fold of folds) fold.add(row);
      },
      values: () => folds.map((fold) => fold.text()),
    };
  };
}

export interface GroupSubtotals {
  readonly value: string | null;
  readonly rows: number;
  readonly values: readonly (string | null)[];
}

export interface GroupFold {
  readonly figures: readonly FigureDefinition[];
  add(row: WireRow): void;
  /** Returns the groups in the order of the rows, with times in the time zone; null above the limit. Call it once, after the last row. */
  groups(): readonly GroupSubtotals[] | null;
}

/** Makes the fold of groups whose rows follow one another. `columns` must contain the columns of the figures and `groupBy`. */
export function createGroupFold(
  figures: readonly FigureDefinition[],
  {
    columns,
    groupBy,
    timezone,
  }: { readonly columns: readonly ReportColumn[]; readonly groupBy: string; readonly timezone: string },
  mostGroups = maxListedGroups,
): GroupFold {
  const begin = createSubtotalFold(figures, columns);
  const groupField = columns.findIndex(({ key }) => key === groupBy);
  const { kind: groupKind = "text" } = columns[groupField] ?? {};
  const localOf = createTimestampConverter(timezone);
  const toLocal = (kind: string | undefined, text: string | null): string | null =>
    text !== null && kind === "timestamp" ? localOf(text) : text;
  let groups: GroupSubtotals[] | null = [];
  let characters = 0;
  let open: { readonly value: string | null; rows: number; readonly fold: SubtotalFold } | null = null;

  function endGroup(): void {
    if (open === null || groups === null) return;
    const { value, rows, fold } = open;
    const values = fold.values().map((text, at) => toLocal(figures[at]?.kind, text));
    for (const text of [value, ...values]) characters += text?.length ?? 0;
    if (groups.length === mostGroups || characters > maxCharacters) groups = null;
    else groups.push({ value: toLocal(groupKind, value), rows, values });
  }

  return {
    figures,
    add(row) {
      if (groups === null) return;
      const value = row[groupField] ?? null;
      if (open === null || !areEqualValues(open.value, value, groupKind)) {
        endGroup();
        open = { value, rows: 0, fold: begin() };
      }
      open.rows++;
      open.fold.add(row);
    },
    groups() {
      endGroup();
      open = null;
      return groups;
    },
  };
}
