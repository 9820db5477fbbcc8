import { toFigureDisplay, type ReportColumn, type ReportTypeDefinition } from "@reports/core/report";
import type { GroupSubtotals } from "../../wire/fold-groups.ts";
import { createBooleanTitles } from "../value-titles.ts";
import type { Words } from "../words/words.ts";
import type { InMemoryTable } from "./table-sheet.ts";

const countWidth = 10;
const valueWidth = 16;

export function createSubtotalTable(
  groups: readonly GroupSubtotals[],
  { figures, column }: { readonly figures: ReportTypeDefinition["summary"]["figures"]; readonly column: ReportColumn },
  words: Words,
): InMemoryTable {
  const { column: shown, withoutValue } = describeGroups(column, words);
  const columns: readonly ReportColumn[] = [
    shown,
    { key: "rows", title: words.text("rows"), kind: "bigint", width: countWidth },
    ...figures.map(({ key, title, kind, ...figure }) => ({
      key,
      title,
      ...toFigureDisplay(figure),
      // The kind `bigint` has thousands separators, which figures need; `integer` has none.
      kind: kind === "integer" ? ("bigint" as const) : kind,
      width: valueWidth,
    })),
  ];
  return { columns, rows: groups.map(({ value, rows, values }) => [value ?? withoutValue, String(rows), ...values]) };
}

/** Returns the column of the groups, and the cell of the group without a value: null for dates and numbers, whose cells are typed. */
function describeGroups(
  column: ReportColumn,
  words: Words,
): { readonly column: ReportColumn; readonly withoutValue: string | null } {
  switch (column.kind) {
    case "boolean":
      return {
        column: { ...column, kind: "text", titles: createBooleanTitles(words) },
        withoutValue: words.text("notKnown"),
      };
    case "text":
      return { column, withoutValue: words.text("groupWithoutValue", { column: words.inSentence(column.title) }) };
    default:
      return { column, withoutValue: null };
  }
}
