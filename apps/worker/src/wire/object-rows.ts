import { Readable } from "node:stream";
import { PermanentReportError, awaitUnlessAborted } from "@reports/core/base";
import type {
  FoldedRowStream,
  ObjectRow,
  ObjectRows,
  ObjectRowsRequest,
  ReportColumn,
  ReportTypeDefinition,
  RowRequest,
} from "@reports/core/report";
import { createObjectReader, encodeObjectRows, type ReadCells } from "./encode-object-rows.ts";
import { createRowCondition } from "./fold-aggregate.ts";
import { createSummaryFold, emptySummary } from "./fold-summary.ts";

/** Opens rows of objects in the wire form. While they pass, applies the type's fixed conditions and folds its summary. */
export async function openObjectRows(
  source: ObjectRows,
  request: RowRequest,
  dataAsOf: Date,
): Promise<FoldedRowStream> {
  const { definition, columns, searchParam, sort, timezone, signal } = request;
  const asked: ObjectRowsRequest = { searchParam, sort, timezone, signal };
  const rowsTotal =
    source.count === undefined ? null : checkCount(await awaitUnlessAborted(source.count(asked), signal));
  if (rowsTotal !== null) request.onCounted?.(rowsTotal);
  const fold = request.withSummary === false ? null : createSummaryFold(definition);
  const read = createObjectReader(columnsToRead(definition, columns, fold !== null), timezone);
  const belongs = createRowCondition(definition.where, definition.columns);
  let passed = 0;
  let isComplete = false;

  const readRow = (object: ObjectRow): ReadCells | null => {
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

/** Returns the shown columns first, in order, then the columns that only conditions and the summary use. */
function columnsToRead(
  { columns, where, summary }: ReportTypeDefinition,
  shown: readonly ReportColumn[],
  withSummary: boolean,
): readonly ReportColumn[] {
  const { figures, charts, attention } = summary;
  const needsSummary = withSummary && (figures.length > 0 || charts.length > 0 || attention !== undefined);
  const others = columns.filter(({ key }) => !shown.some((column) => column.key === key));
  return [...shown, ...others.filter(({ key }) => needsSummary || where.some(({ column }) => column === key))];
}

function checkCount(count: unknown): number {
  if (typeof count === "number" && Number.isSafeInteger(count) && count >= 0) return count;
  throw new PermanentReportError(
    "INVALID_DATA",
    `The source of this report type counted ${String(count)} rows. Its owner must fix it.`,
  );
}
