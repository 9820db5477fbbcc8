import { afterEach, expect, test } from "vitest";
import { parseRows, readRows, type WireRows } from "../../wire/read-rows.ts";
import { createTestColumns, createTestRows, createTestScratchFile } from "../rows.fixture.ts";
import { createCellFormatContext } from "./cell-formatter.ts";
import { readRowsAhead, type RowLookahead } from "./read-rows-ahead.ts";
import { toTableColumns } from "./row-section.ts";

const columns = toTableColumns(
  createTestColumns({ name: "text", owner: "text", tags: "list" }),
  createCellFormatContext({ locale: "en", language: "en", timezone: "UTC" }),
);
let scratch = createTestScratchFile();
afterEach(async () => {
  await scratch.close();
  scratch = createTestScratchFile();
});

function createBlocks(blocks: number, rowAt: (block: number) => string) {
  const counted = { read: 0 };
  async function* all(): AsyncGenerator<WireRows> {
    for (let block = 0; block < blocks; block++) {
      counted.read++;
      const bytes = Buffer.from(rowAt(block).repeat(2));
      yield { length: 2, bytes, [Symbol.iterator]: () => parseRows(bytes) };
    }
  }
  return { counted, all };
}

const seen: number[] = [];
async function read(blocks: AsyncIterable<WireRows>): Promise<RowLookahead> {
  seen.length = 0;
  return readRowsAhead(blocks, columns, { onRowsAhead: (rows) => seen.push(rows), scratch });
}

async function readNames({ all }: RowLookahead): Promise<(string | null | undefined)[]> {
  const names = [];
  for await (const rows of all) for (const [name] of rows) names.push(name);
  return names;
}

const twice = (count: number): string[] => Array.from({ length: 2 * count }, (_, at) => `n${Math.floor(at / 2)}`);

test("a column of only nulls, empty texts or empty lists counts as without value", async () => {
  const { all } = createBlocks(3, (block) => `n${block},${block === 1 ? '""' : ""},{}\n`);
  const ahead = await read(all());
  expect([...ahead.fieldsWithoutValue]).toEqual([1, 2]);
  expect(ahead.total).toBe(6);
  expect(await readNames(ahead)).toEqual(twice(3));
});

test("reading ahead ends with the block in which the last empty column gets a value", async () => {
  const { all, counted } = createBlocks(60, (block) => `n${block},${block === 40 ? "b" : ""},{x}\n`);
  const ahead = await read(all());
  expect([counted.read, ahead.fieldsWithoutValue.size, ahead.total]).toEqual([41, 0, null]);
  expect(await readNames(ahead)).toEqual(twice(60));
});

test("reading ahead stops after two blocks if every column has a value", async () => {
  const { all, counted } = createBlocks(9, (block) => `n${block},b,{x}\n`);
  const ahead = await read(all());
  expect([counted.read, ahead.total, scratch.sizeBytes()]).toEqual([2, null, 0]);
  expect(await readNames(ahead)).toEqual(twice(9));
});

test("blocks after the first 16 that are read ahead wait in a file, not in memory", async () => {
  const { all } = createBlocks(40, (block) => `n${block},,{x}\n`);
  const ahead = await read(all());
  expect([[...ahead.fieldsWithoutValue], ahead.total]).toEqual([[1], 80]);
  expect(scratch.sizeBytes()).toBe(2 * Array.from({ length: 24 }, (_, at) => `n${at + 16},,{x}\n`).join("").length);
  expect(await readNames(ahead)).toEqual(twice(40));
});

test("rows that are read ahead count as read, so that the row limit ends them early", async () => {
  await read(createBlocks(3, () => "n,,{x}\n").all());
  expect(seen).toEqual([2, 4, 6]);
});

test("an error of rows that are read ahead fails the report with that error", async () => {
  const rows = createTestRows(
    columns.map(({ column }) => column),
    "n,,{x}\nn,",
  );
  await expect(read(readRows(rows.bytes))).rejects.toThrow("ended in the middle of a row");
});
