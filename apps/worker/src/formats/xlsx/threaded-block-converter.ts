import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { BrokenRowsError } from "../../wire/broken-rows-error.ts";
import { createBlockConvertFunction, type ConvertedBlock } from "./block-conversion.ts";
import type { SheetColumn } from "./sheet-encoder.ts";
import type { BlockConversionResult, BlockConversionThreadData, BlockConversionTask } from "./conversion-thread.ts";

const blocksWithoutThreads = 3;
const maxThreads = 2;
const blocksPerThread = 2;

export interface ThreadedBlockConverter {
  /** Maximum number of blocks that are converted at the same time. At this number, the caller waits for the oldest before it adds another. */
  readonly maxBlocks: number;
  /** Converts a block. Copies the rows before it returns. `firstRow` is the sheet row of the block's first row, from 1. */
  convert(rows: Uint8Array, firstRow: number): Promise<ConvertedBlock>;
  close(): Promise<void>;
}

export function createThreadedBlockConverter(
  columns: readonly SheetColumn[],
  timezone: string,
): ThreadedBlockConverter {
  const threadCount = Math.min(maxThreads, availableParallelism());
  const threads: ConversionThread[] = [];
  const convertHere = createBlockConvertFunction(columns, timezone);
  let blocks = 0;
  return {
    maxBlocks: threadCount * blocksPerThread,
    convert(rows, firstRow) {
      if (blocks++ < blocksWithoutThreads) {
        return new Promise((resolve) => {
          resolve(convertHere(rows, firstRow));
        });
      }
      const thread = (threads[blocks % threadCount] ??= new ConversionThread({ columns, timezone }));
      return thread.convert(rows, firstRow);
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

interface PendingBlock {
  readonly resolve: (block: ConvertedBlock) => void;
  readonly reject: (error: Error) => void;
}

class ConversionThread {
  readonly #worker: Worker;
  readonly #waiting: PendingBlock[] = [];
  readonly #free: ArrayBuffer[] = [];

  constructor(data: BlockConversionThreadData) {
    // The file of the thread ends in .ts in the sources and in .js in a build.
    const module = new URL(`./conversion-thread${extname(import.meta.url)}`, import.meta.url);
    this.#worker = new Worker(module, { workerData: data });
    this.#worker.on("message", (answer: BlockConversionResult) => this.#settle(answer));
    this.#worker.on("error", (error: unknown) =>
      this.#rejectAll(error instanceof Error ? error : new Error(String(error))),
    );
    this.#worker.on("exit", () =>
      this.#rejectAll(new Error("A thread that converts rows ended before its work was done.")),
    );
  }

  convert(rows: Uint8Array, firstRow: number): Promise<ConvertedBlock> {
    const free = this.#free.pop();
    const memory = free !== undefined && free.byteLength >= rows.length ? free : new ArrayBuffer(rows.length);
    new Uint8Array(memory).set(rows);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage({ rows: memory, length: rows.length, firstRow } satisfies BlockConversionTask, [memory]);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(answer: BlockConversionResult): void {
    const waiting = this.#waiting.shift();
    if ("brokenRows" in answer) {
      waiting?.reject(new BrokenRowsError(answer.brokenRows));
      return;
    }
    this.#free.push(answer.rows);
    waiting?.resolve(answer.converted);
  }

  #rejectAll(error: Error): void {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
  }
}
