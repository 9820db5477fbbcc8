import type { WireRows } from "../../wire/read-rows.ts";
import type { TableColumn } from "./column-needs.ts";

/** Maximum blocks of 256 KB that are read before the layout while some column has no value: about 20,000 rows. */
const maxBlocks = 16;

export interface RowsAhead {
  /** The first block; undefined if there are no rows. */
  readonly first: WireRows | undefined;
  /** Number of rows if all rows were read ahead; otherwise null. */
  readonly total: number | null;
  /** Fields of the columns that have no value in any row; empty unless all rows were read ahead. The first column is never among them. */
  readonly fieldsWithoutValue: ReadonlySet<number>;
  readonly all: AsyncIterable<WireRows>;
}

/** Reads the first two blocks, and more while a column has no value. */
export async function readAhead(blocks: AsyncIterable<WireRows>, columns: readonly TableColumn[]): Promise<RowsAhead> {
  const iterator = blocks[Symbol.asyncIterator]();
  const missing = new Map(columns.slice(1).map((column) => [column.field, column]));
  const read: IteratorResult<WireRows>[] = [];
  let total = 0;
  let isEnd = false;
  while (!isEnd && (read.length < 2 || (missing.size > 0 && read.length < maxBlocks))) {
    const result = await iterator.next();
    read.push(result);
    isEnd = result.done === true;
    if (result.done === true) break;
    total += result.value.length;
    removeFound(missing, result.value);
  }
  const [first] = read;
  return {
    first: first?.done === true ? undefined : first?.value,
    total: isEnd ? total : null,
    fieldsWithoutValue: new Set(isEnd && total > 0 ? missing.keys() : []),
    all: replay(read, iterator),
  };
}

export function hasValue({ column }: TableColumn, value: string | null | undefined): boolean {
  return value !== null && value !== undefined && value !== "" && !(column.kind === "list" && value === "{}");
}

function removeFound(missing: Map<number, TableColumn>, rows: WireRows): void {
  for (const row of rows) {
    if (missing.size === 0) return;
    for (const [field, column] of missing) if (hasValue(column, row[field])) missing.delete(field);
  }
}

async function* replay<Item>(read: readonly IteratorResult<Item>[], rest: AsyncIterator<Item>): AsyncGenerator<Item> {
  try {
    for (const item of read) {
      if (item.done === true) return;
      yield item.value;
    }
    for (let item = await rest.next(); item.done !== true; item = await rest.next()) yield item.value;
  } finally {
    await rest.return?.();
  }
}
