import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { readRowBlocks } from "./row-blocks.ts";

const rows = Buffer.from("a,b\n".repeat(4096));

function chunkOf(memoryBytes: number, length: number): Buffer {
  const chunk = Buffer.allocUnsafeSlow(memoryBytes);
  for (let at = 0; at < length; at += rows.length) rows.copy(chunk, at, 0, length - at);
  return chunk.subarray(0, length);
}

it.each([
  [65_536, 65_536],
  [65_536, 60_000],
  [16_384, 16_384],
  [8192, 8000],
])("readRowBlocks frees chunks of %j bytes with %j bytes of rows, also buffered ones", async (memoryBytes, length) => {
  const chunks = Array.from({ length: 20 }, () => chunkOf(memoryBytes, length));
  const bytes = new Readable({ highWaterMark: 1 << 21, read: () => undefined });
  for (const chunk of chunks) bytes.push(chunk);
  bytes.push(null);
  let count = 0;
  for await (const block of readRowBlocks(bytes)) count += block.rows;
  expect(count).toBe((20 * length) / 4);
  expect(chunks.map(({ buffer }) => buffer.byteLength)).toEqual(chunks.map(() => 0));
});

it.each(["at the end of the rows", "when its reader has had enough"])(
  "readRowBlocks frees the memory of its last block %s",
  async (when) => {
    const blocks: Buffer[] = [];
    for await (const block of readRowBlocks(Readable.from([Buffer.from("a,b\n".repeat(100_000))]))) {
      blocks.push(block.bytes);
      if (when !== "at the end of the rows") break;
    }
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks.map(({ length }) => length)).toEqual(blocks.map(() => 0));
  },
);

it("readRowBlocks does not free memory of Node's pool", async () => {
  const [before, chunk, after] = ["before", "a,b\n", "after"].map((text) => Buffer.from(text));
  let count = 0;
  for await (const block of readRowBlocks(Readable.from([chunk]))) count += block.rows;
  expect([count, String(before), String(after)]).toEqual([1, "before", "after"]);
});

it.each(["before", "while"])(
  "readRowBlocks rejects with the error of a stream that was destroyed %s its read",
  async (when) => {
    const reason = new Error("cancelled");
    const bytes = new Readable({ read: () => undefined });
    bytes.on("error", () => undefined);
    bytes.push(rows);
    if (when === "before") bytes.destroy(reason);
    const first = readRowBlocks(bytes).next();
    bytes.destroy(reason);
    await expect(first).rejects.toBe(reason);
  },
);

it("readRowBlocks destroys its stream when its reader stops", async () => {
  const left = new Readable({ read: () => undefined });
  for (let at = 0; at < 20; at++) left.push(chunkOf(65_536, 65_536));
  left.on("error", () => undefined);
  const closed = new Promise((resolve) => left.once("close", resolve));
  for await (const _ of readRowBlocks(left)) break;
  await closed;
  expect(left.destroyed).toBe(true);
});
