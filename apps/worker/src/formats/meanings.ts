import type { ReportColumn } from "@reports/core/report";

export interface ColumnMeanings {
  readonly title: string;
  readonly values: readonly { readonly title: string; readonly meaning: string }[];
}

/** Lists explained values per column, in the order of columns and titles. `isShown` can leave out values that the file does not contain. */
export function listMeanings(
  columns: readonly ReportColumn[],
  isShown: (column: ReportColumn, value: string) => boolean = () => true,
): ColumnMeanings[] {
  const byKey = new Map(columns.map((column) => [column.key, column]));
  return [...byKey.values()].flatMap((column) => {
    const meanings = new Map(Object.entries(column.meanings ?? {}));
    const values = Object.entries(column.titles ?? {}).flatMap(([value, title]) => {
      const meaning = meanings.get(value);
      return meaning !== undefined && isShown(column, value) ? [{ title, meaning }] : [];
    });
    return values.length === 0 ? [] : [{ title: column.title, values }];
  });
}
