import { freeMemory } from "../../wire/unshared-memory.ts";
import { findRowOffsetBytes, type RowBlock } from "../../wire/row-blocks.ts";
import type { ConvertedBlock } from "./block-conversion.ts";
import type { ThreadedBlockConverter } from "./threaded-block-converter.ts";

export interface RemainingRowBlocks {
  readonly blocks: AsyncGenerator<RowBlock, void>;
  rest: RowBlock | undefined;
}

export async function* takeRows(
  supply: RemainingRowBlocks,
  rowLimit: number,
  isFull: () => boolean,
): AsyncGenerator<RowBlock> {
  const next = async (): Promise<RowBlock | undefined> => {
    const result = await supply.blocks.next();
    return result.done === true ? undefined : result.value;
  };
  let block = supply.rest ?? (await next());
  supply.rest = undefined;
  for (let room = rowLimit; block !== undefined; block = await next()) {
    if (room < rowLimit && isFull()) {
      supply.rest = block;
      return;
    }
    if (block.rows > room) {
      const cut = findRowOffsetBytes(block.bytes, room);
      if (room > 0) yield { bytes: block.bytes.subarray(0, cut), rows: room };
      supply.rest = { bytes: block.bytes.subarray(cut), rows: block.rows - room };
      return;
    }
    room -= block.rows;
    yield block;
  }
}

/** Converts several blocks at the same time and yields them in order. A yielded block becomes invalid when the next is requested. */
export async function* convertBlocks(
  converter: ThreadedBlockConverter,
  blocks: AsyncIterable<RowBlock>,
  firstRow: number,
): AsyncGenerator<ConvertedBlock> {
  let nextRow = firstRow;
  const inProgress: Promise<ConvertedBlock>[] = [];
  for await (const block of blocks) {
    const converted = converter.convert(block.bytes, nextRow);
    nextRow += block.rows;
    // A rejection is thrown when its block is due. Until then, Node must not report it as unhandled.
    converted.catch(() => undefined);
    inProgress.push(converted);
    const oldest = inProgress.length >= converter.maxBlocks ? inProgress.shift() : undefined;
    if (oldest !== undefined) yield* yieldOnce(await oldest);
  }
  for (const converted of inProgress) yield* yieldOnce(await converted);
}

function* yieldOnce(block: ConvertedBlock): Generator<ConvertedBlock> {
  yield block;
  freeMemory(block.deflated);
}
