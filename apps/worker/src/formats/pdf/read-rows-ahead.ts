import { readRows, type WireRows } from "../../wire/read-rows.ts";
import type { RenderContext, ScratchBuffer } from "../format-renderer.ts";
import type { TableColumn } from "./column-width-estimate.ts";

/** Blocks of 256 KB that are kept in memory: about 20,000 rows. Further blocks that are read before the layout are kept in a file. */
const maxBlocksInMemory = 16;

export interface RowLookahead {
  readonly first: WireRows | undefined;
  /** Number of rows if all rows were read ahead; otherwise null. */
  readonly total: number | null;
  /** Fields of the columns that have no value in any row. The first column is never among them. */
  readonly fieldsWithoutValue: ReadonlySet<number>;
  readonly all: AsyncIterable<WireRows>;
}

export async function readRowsAhead(
  blocks: AsyncIterable<WireRows>,
  columns: readonly TableColumn[],
  { onRowsAhead, scratch }: Pick<RenderContext, "onRowsAhead" | "scratch">,
): Promise<RowLookahead> {
  const iterator = blocks[Symbol.asyncIterator]();
  const missing = new Map(columns.slice(1).map((column) => [column.field, column]));
  const inMemory: WireRows[] = [];
  let total = 0;
  let isEnd = false;
  while (inMemory.length < 2 || missing.size > 0) {
    const item = await iterator.next();
    isEnd = item.done === true;
    if (item.done === true) break;
    const rows = item.value;
    total += rows.length;
    onRowsAhead(total);
    removeFound(missing, rows);
    if (inMemory.length < maxBlocksInMemory) inMemory.push(rows);
    else await scratch.write(rows.bytes);
  }
  return {
    first: inMemory[0],
    total: isEnd ? total : null,
    fieldsWithoutValue: new Set(total > 0 ? missing.keys() : []),
    all: replay(inMemory, scratch, iterator),
  };
}

export function hasCellValue({ column }: TableColumn, value: string | null | undefined): boolean {
  return value !== null && value !== undefined && value !== "" && !(column.kind === "list" && value === "{}");
}

function removeFound(missing: Map<number, TableColumn>, rows: WireRows): void {
  for (const row of rows) {
    if (missing.size === 0) return;
    for (const [field, column] of missing) if (hasCellValue(column, row[field])) missing.delete(field);
  }
}

async function* replay(
  inMemory: readonly WireRows[],
  scratch: ScratchBuffer,
  iterator: AsyncIterator<WireRows>,
): AsyncGenerator<WireRows> {
  try {
    yield* inMemory;
    yield* readRows(scratch.read());
    for (let item = await iterator.next(); item.done !== true; item = await iterator.next()) yield item.value;
  } finally {
    await iterator.return?.();
  }
}
