import {
  createRowOrder,
  type Attention,
  type AttentionDefinition,
  type ReadRow,
  type ReportColumn,
} from "@reports/core/report";
import { textOfCell } from "./encode-object-rows.ts";
import { rowsThatMeet } from "./fold-aggregate.ts";

export interface AttentionFold {
  add(row: ReadRow): void;
  attention(): Attention;
}

/** Rows that are equal by its sort keep their order. */
export function createAttentionFold(
  { title, where, columns: keys, sort, limit }: AttentionDefinition,
  columns: readonly ReportColumn[],
): AttentionFold {
  const meets = rowsThatMeet([where], columns);
  const compare = createRowOrder(sort, columns);
  const first: ReadRow[] = [];
  let total = 0;
  return {
    add(row) {
      if (!meets(row)) return;
      total++;
      let at = first.length;
      while (at > 0 && compare(first[at - 1]!, row) > 0) at--;
      if (at === limit) return;
      first.splice(at, 0, row);
      if (first.length > limit) first.pop();
    },
    attention: () => ({
      title,
      columns: keys.map((key) => columns.find((column) => column.key === key)!),
      rows: first.map((row) => keys.map((key) => textOfCell(row.cell(key)))),
      total,
    }),
  };
}
