import type { ReportColumn } from "@reports/core/report";

export interface ValueMeanings {
  readonly title: string;
  readonly values: readonly { readonly title: string; readonly meaning: string }[];
}

export function listValueMeanings(
  columns: readonly ReportColumn[],
  isShown: (column: ReportColumn, value: string) => boolean = () => true,
): ValueMeanings[] {
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
