import { parentPort, workerData } from "node:worker_threads";
import { BrokenRowsError } from "../../wire/broken-rows-error.ts";
import { createBlockConvertFunction, type ConvertedBlock } from "./block-conversion.ts";
import type { SheetColumn } from "./sheet-encoder.ts";
import { findUnsharedMemory } from "../../wire/unshared-memory.ts";

export interface BlockConversionThreadData {
  readonly columns: readonly SheetColumn[];
  readonly timezone: string;
}

/** A block to convert: `length` bytes of `rows`. Its first row has the row number `firstRow` in the sheet. */
export interface BlockConversionTask {
  readonly rows: ArrayBuffer;
  readonly length: number;
  readonly firstRow: number;
}

/** The result of a block. Results arrive in the order of the tasks. `rows` returns the task's memory for reuse. */
export type BlockConversionResult =
  | { readonly converted: ConvertedBlock; readonly rows: ArrayBuffer }
  | { readonly brokenRows: string };

if (parentPort !== null) serveTasks(parentPort, workerData as BlockConversionThreadData);

function serveTasks(port: NonNullable<typeof parentPort>, { columns, timezone }: BlockConversionThreadData): void {
  const convert = createBlockConvertFunction(columns, timezone);
  port.on("message", ({ rows, length, firstRow }: BlockConversionTask) => {
    let answer: BlockConversionResult & { readonly converted: ConvertedBlock };
    try {
      answer = { converted: convert(new Uint8Array(rows, 0, length), firstRow), rows };
    } catch (error) {
      // Errors lose their class between threads, so the message is sent. Any other error is a bug and ends the thread.
      if (!(error instanceof BrokenRowsError)) throw error;
      port.postMessage({ brokenRows: error.message } satisfies BlockConversionResult);
      return;
    }
    const deflated = findUnsharedMemory(answer.converted.deflated);
    port.postMessage(answer, deflated === null ? [rows] : [rows, deflated]);
  });
}
