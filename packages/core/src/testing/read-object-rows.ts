import { setImmediate as nextTurn } from "node:timers/promises";
import { runWithTimeLimit } from "../base/deadline.ts";
import type { ReportTypeDefinition } from "../report/types/type-definition.ts";
import type { ObjectRow, ObjectRows, ObjectRowsRequest } from "../report/types/row-source.ts";

/** The object rows that a check reads, with the limits of each read. */
export interface ObjectRowsUnderTest {
  readonly definition: ReportTypeDefinition;
  readonly source: ObjectRows;
  readonly maxRows: number;
  readonly timeoutMs: number;
}

export interface ObjectRowsResult {
  readonly rows: readonly ObjectRow[];
  readonly isComplete: boolean;
}

export async function readObjectRows(
  { source, maxRows, timeoutMs }: ObjectRowsUnderTest,
  request: Omit<ObjectRowsRequest, "signal">,
): Promise<ObjectRowsResult> {
  const late = (): Error => new Error(`gave neither ${maxRows} rows nor an end within ${timeoutMs} ms`);
  return runWithTimeLimit(
    async (signal) => {
      const rows: ObjectRow[] = [];
      for await (const row of source.rows({ ...request, signal })) {
        rows.push(row);
        if (rows.length === maxRows) return { rows, isComplete: false };
      }
      return { rows, isComplete: true };
    },
    timeoutMs,
    late,
  );
}

/** Number of rows that a source may still yield after an abort. Only rows after the source's first wait count, such as a wait for a database. */
const maxRowsAfterAbort = 1_000;

/**
 * Aborts the source after its first row. Returns null if the source then ends; else a description of its behaviour. A source may still yield rows
 * that it has in memory, so only rows after its first wait are counted.
 */
export async function findAbortProblem(
  { source, timeoutMs }: ObjectRowsUnderTest,
  request: Omit<ObjectRowsRequest, "signal">,
): Promise<string | null> {
  const stop = new AbortController();
  const readOn = async (limit: AbortSignal): Promise<string | null> => {
    let rows = 0;
    let rowsAfterWait = 0;
    let hasWaited = false;
    let turn: NodeJS.Immediate | undefined;
    try {
      for await (const _ of source.rows({ ...request, signal: stop.signal })) {
        clearImmediate(turn);
        if (rows++ === 0) stop.abort(new Error("The check stops here."));
        if (hasWaited && ++rowsAfterWait > maxRowsAfterAbort)
          return `gave more than ${maxRowsAfterAbort} rows after its signal was aborted`;
        // Without this pause, a source that yields endless rows would keep the timer of the time limit from running.
        if (rows % maxRowsAfterAbort === 0) await nextTurn();
        if (limit.aborted) return null;
        turn = setImmediate(() => (hasWaited = true));
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    } finally {
      clearImmediate(turn);
    }
    return null;
  };
  return runWithTimeLimit(
    readOn,
    timeoutMs,
    () => new Error(`gave neither a row nor an end within ${timeoutMs} ms of being stopped`),
  );
}

export async function countObjectRows(
  { source, timeoutMs }: ObjectRowsUnderTest,
  request: Omit<ObjectRowsRequest, "signal">,
): Promise<number | null> {
  const { count } = source;
  if (count === undefined) return null;
  return runWithTimeLimit(
    async (signal) => count.call(source, { ...request, signal }),
    timeoutMs,
    () => new Error(`did not count within ${timeoutMs} ms`),
  );
}
