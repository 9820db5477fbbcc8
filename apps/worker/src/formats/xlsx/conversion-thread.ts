import { parentPort, workerData } from "node:worker_threads";
import { BrokenRowsError } from "../../wire/broken-rows-error.ts";
import { createBlockConversion, type ConvertedBlock } from "./block-conversion.ts";
import type { SheetColumn } from "./sheet-encoder.ts";
import { ownMemory } from "../../wire/own-memory.ts";

/** What a thread is started with. */
export interface ThreadData {
  readonly columns: readonly SheetColumn[];
  /** IANA time zone of the report. */
  readonly timezone: string;
}

/** A block to convert: `length` bytes of `rows`, whose first row has the number `firstRow` in its sheet. */
export interface ThreadTask {
  readonly rows: ArrayBuffer;
  readonly length: number;
  readonly firstRow: number;
}

/** What a thread answers to each block, in the order in which they came. `rows` gives the block's memory back. */
export type ThreadAnswer =
  | { readonly converted: ConvertedBlock; readonly rows: ArrayBuffer }
  | { readonly brokenRows: string };

if (parentPort !== null) serve(parentPort, workerData as ThreadData);

function serve(port: NonNullable<typeof parentPort>, { columns, timezone }: ThreadData): void {
  const convert = createBlockConversion(columns, timezone);
  port.on("message", ({ rows, length, firstRow }: ThreadTask) => {
    let answer: ThreadAnswer & { readonly converted: ConvertedBlock };
    try {
      answer = { converted: convert(new Uint8Array(rows, 0, length), firstRow), rows };
    } catch (error) {
      // A class does not survive the way between threads; anything else is a bug and ends the thread with its own error.
      if (!(error instanceof BrokenRowsError)) throw error;
      port.postMessage({ brokenRows: error.message } satisfies ThreadAnswer);
      return;
    }
    const deflated = ownMemory(answer.converted.deflated);
    port.postMessage(answer, deflated === null ? [rows] : [rows, deflated]);
  });
}
