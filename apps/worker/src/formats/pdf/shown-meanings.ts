import type { AttentionList, ReportColumn } from "@reports/core/report";
import { parseTextArray, type WireRow } from "../../wire/read-rows.ts";
import { listValueMeanings, type ValueMeanings } from "../meanings.ts";

interface Table {
  readonly columns: readonly ReportColumn[];
  readonly rows: Iterable<WireRow>;
}

/** Returns the meanings of the values in rows and attention list. If `rows` is null, because there are too many, all values count as shown. */
export function listShownValueMeanings(
  columns: readonly ReportColumn[],
  rows: Iterable<WireRow> | null,
  attention: AttentionList | null,
): ValueMeanings[] {
  const all = [...columns, ...(attention?.columns ?? [])];
  if (rows === null) return listValueMeanings(all);
  const shown = new Map<string, Set<string>>();
  for (const table of [{ columns, rows }, ...(attention === null ? [] : [attention])]) collectValues(table, shown);
  return listValueMeanings(all, ({ key }, value) => shown.get(key)?.has(value) === true);
}

function collectValues({ columns, rows }: Table, shown: Map<string, Set<string>>): void {
  const explained = columns.flatMap(({ key, kind, meanings }, at) => {
    if (meanings === undefined) return [];
    const values = shown.get(key) ?? new Set<string>();
    shown.set(key, values);
    return [{ at, isList: kind === "list", values }];
  });
  if (explained.length === 0) return;
  for (const row of rows) {
    for (const { at, isList, values } of explained) {
      const value = row[at] ?? null;
      if (value === null) continue;
      for (const element of isList ? parseTextArray(value) : [value]) if (element !== null) values.add(element);
    }
  }
}
