import { FencedOutError, StoreUnavailableError } from "@reports/core/base";
import type { Report, ReportCompletion } from "@reports/core/report";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { completeReportRows, type CompletedReportValues } from "./attempt-statements.ts";
import type { BatchWriter } from "./create-write-batcher.ts";
import { insertRowSnapshot } from "./report-files.ts";
import { toReport, type ReportRecordRow } from "./report-row.ts";
import { assertSameStoreId } from "./store-id-record.ts";

export interface CompletionRequest {
  readonly id: string;
  readonly attempt: number;
  readonly completion: ReportCompletion;
}

export function createSingleCompletionWriter(database: Database, actor: string) {
  return async (request: CompletionRequest): Promise<Report> => {
    const { keptRows = null, storeId = null } = request.completion;
    const write = async (queries: Queries): Promise<ReportRecordRow> => {
      const [row] = await completeReportRows(queries, "wait", [toValues(request)], actor);
      if (row === undefined) {
        if (storeId !== null) await assertSameStoreId(queries, storeId);
        throw new FencedOutError(request.id, request.attempt);
      }
      if (keptRows !== null) await insertRowSnapshot(queries, row, keptRows);
      return row;
    };
    // Without a transaction, Postgres may complete the report after the call has rejected. The fence still prevents the write of an old attempt.
    return toCompleted(await (keptRows === null ? database.query(write) : database.transaction(write)));
  };
}

/**
 * Completes several reports with one statement. The result is null for a report that must be completed alone: fenced, locked or in another store. A
 * result is a function, so that an unreadable record rejects only its own completion.
 */
export function createBatchCompletionWriter(
  database: Database,
  actor: string,
): BatchWriter<CompletionRequest, () => Report> {
  return async (requests) => {
    const rows = await database.query((queries) => completeReportRows(queries, "skip", requests.map(toValues), actor));
    const byId = new Map(rows.map((row) => [row.id, row]));
    return requests.map(({ id, attempt }) => {
      const row = byId.get(id);
      return row?.attempt === attempt ? () => toCompleted(row) : null;
    });
  };
}

/** Throws StoreUnavailableError if the record cannot be read, because the report has succeeded and the worker must keep its file. */
function toCompleted(row: ReportRecordRow): Report {
  try {
    return toReport(row);
  } catch (error) {
    throw new StoreUnavailableError(`The report ${row.id} was completed, but its record cannot be read.`, {
      cause: error,
    });
  }
}

function toValues({ id, attempt, completion }: CompletionRequest): CompletedReportValues {
  const { file, rowCount, dataAsOf, warnings, retentionMs, keptRows = null, storeId = null } = completion;
  return {
    id,
    attempt,
    retentionMs,
    storeId,
    dataSha256: keptRows?.dataSha256 ?? null,
    dataAsOf,
    rowCount,
    warnings: warnings.map(({ message }) => message),
    warningCodes: warnings.map(({ code }) => code),
    fileId: file.id,
    fileName: file.fileName,
    fileExtension: file.extension,
    fileContentType: file.contentType,
    fileSizeBytes: file.sizeBytes,
    fileSha256: file.sha256,
    fileColumns: [...file.columns],
    fileStorageKey: file.storageKey,
    fileStoredVersion: file.storedVersion,
  };
}
