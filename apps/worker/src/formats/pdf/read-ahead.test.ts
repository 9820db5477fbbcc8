import { expect, test } from "vitest";
import type { WireRow, WireRows } from "../../wire/read-rows.ts";
import { testColumns } from "../rows.fixture.ts";
import { createCellConventions } from "./cell-format.ts";
import { readAhead } from "./read-ahead.ts";
import { tableColumns } from "./row-section.ts";

const columns = tableColumns(
  testColumns({ name: "text", owner: "text", tags: "list" }),
  createCellConventions({ locale: "en", language: "en", timezone: "UTC" }),
);

/** Makes blocks of two rows. `counted.read` is the number of blocks that were read. */
function createBlocks(blocks: number, rowAt: (block: number) => WireRow) {
  const counted = { read: 0 };
  async function* all(): AsyncGenerator<WireRows> {
    for (let block = 0; block < blocks; block++) {
      counted.read++;
      yield [rowAt(block), rowAt(block)];
    }
  }
  return { counted, all };
}

test("a column of only nulls, empty texts or empty lists counts as without value", async () => {
  const { all } = createBlocks(3, (block) => [null, block === 1 ? "" : null, "{}"]);
  const ahead = await readAhead(all(), columns);
  expect([...ahead.fieldsWithoutValue]).toEqual([1, 2]);
  expect(ahead.total).toBe(6);
  expect((await Array.fromAsync(ahead.all)).flatMap((rows) => [...rows])).toHaveLength(6);
});

test("a column is kept if its first value is in a later block", async () => {
  const { all } = createBlocks(9, (block) => ["a", block === 8 ? "b" : null, "{x}"]);
  expect((await readAhead(all(), columns)).fieldsWithoutValue.size).toBe(0);
});

test("two blocks are read ahead if every column has a value", async () => {
  const { all, counted } = createBlocks(9, () => ["a", "b", "{x}"]);
  const ahead = await readAhead(all(), columns);
  expect([counted.read, ahead.total]).toEqual([2, null]);
  expect(await Array.fromAsync(ahead.all)).toHaveLength(9);
});

test("at most 16 blocks are read ahead, and columns of longer reports are kept", async () => {
  const { all, counted } = createBlocks(40, () => ["a", null, "{x}"]);
  const ahead = await readAhead(all(), columns);
  expect([counted.read, ahead.fieldsWithoutValue.size, ahead.total]).toEqual([16, 0, null]);
  expect(await Array.fromAsync(ahead.all)).toHaveLength(40);
});
