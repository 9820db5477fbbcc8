import { Readable } from "node:stream";
import { PermanentReportError, awaitUnlessAborted } from "@reports/core/base";
import {
  createObjectRowReader,
  createConditionPredicate,
  findSummaryColumns,
  type FoldedRowStream,
  type ObjectRow,
  type ObjectRows,
  type ObjectRowsRequest,
  type ObjectRowCells,
  type ReportColumn,
  type ReportTypeDefinition,
  type RowRequest,
} from "@reports/core/report";
import { encodeObjectRows } from "./encode-object-rows.ts";
import { createSummaryFold, emptySummary } from "./fold-summary.ts";

export type ObjectRowsContext = Pick<ObjectRowsRequest, "locale" | "language" | "requester"> & {
  readonly dataAsOf: Date;
};

/**
 * Opens object rows in the wire form. While they pass, applies the type's fixed conditions and folds its summary. `summary` throws before the last
 * row has passed.
 */
export async function openObjectRows(
  source: ObjectRows,
  request: RowRequest,
  { dataAsOf, ...context }: ObjectRowsContext,
): Promise<FoldedRowStream> {
  const { definition, columns, searchParam, sort, timezone, signal } = request;
  const fold = request.withSummary === false ? null : createSummaryFold(definition);
  const readColumns = columnsToRead(definition, columns, fold !== null);
  const asked: ObjectRowsRequest = {
    searchParam,
    sort,
    timezone,
    signal,
    columns: [...new Set([...readColumns, ...sort].map(({ key }) => key))],
    limit: null,
    ...context,
  };
  const rowsTotal =
    source.count === undefined ? null : checkCount(await awaitUnlessAborted(source.count(asked), signal));
  if (rowsTotal !== null) request.onCounted?.(rowsTotal);
  const read = createObjectRowReader(readColumns, timezone);
  const belongs = createConditionPredicate(definition.where, definition.columns);
  let passed = 0;
  let isComplete = false;

  const readRow = (object: ObjectRow): ObjectRowCells | null => {
    const row = read(object);
    if (!belongs(row)) return null;
    passed++;
    fold?.add(row);
    return row;
  };

  async function* bytes(): AsyncGenerator<Buffer> {
    yield* encodeObjectRows(source.rows(asked), columns.length, readRow);
    isComplete = true;
  }

  return {
    columns,
    dataAsOf,
    rowsTotal,
    summary() {
      if (!isComplete) throw new Error("The rows have not all passed.");
      return fold?.summary() ?? emptySummary;
    },
    rowsPassed: () => passed,
    bytes: Readable.from(bytes(), { objectMode: true, highWaterMark: 2 }),
  };
}

function columnsToRead(
  { columns, where, summary }: ReportTypeDefinition,
  shown: readonly ReportColumn[],
  withSummary: boolean,
): readonly ReportColumn[] {
  const others = new Set([...where.map(({ column }) => column), ...(withSummary ? findSummaryColumns(summary) : [])]);
  for (const { key } of shown) others.delete(key);
  return [...shown, ...columns.filter(({ key }) => others.has(key))];
}

function checkCount(count: unknown): number {
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
  throw new PermanentReportError(
    "INVALID_DATA",
    `The source of this report type counted ${String(count)} rows. Its owner must fix it.`,
  );
}
