import {
  ExpectedError,
  PermanentReportError,
  ReportNotServedError,
  runTimeExceeded,
  StoreLimitError,
  StoreUnavailableError,
  type ReportTypeDefinition,
} from "@reports/core";
import { codeOf, mapStoreError } from "../database/store-error.ts";

/**
 * States in which Postgres ends a report's transaction and may end the next attempt too, because a setting, a full disk or the query itself is
 * the reason. Elsewhere most of them can pass (store-error.ts), because a call of the service is short; a report may
 * meet the same limit at every attempt. Deadlocks, restarts, and connections that were lost or refused pass.
 */
const limits: Readonly<Record<string, string>> = {
  "25006": "Its query writes, and reports are read in a read-only transaction",
  "25P03": "Its transaction was idle for longer than idle_in_transaction_session_timeout allows",
  "25P04": "Its transaction took longer than transaction_timeout allows",
  "57P05": "Its session was idle for longer than idle_session_timeout allows",
  "55P03": "It waited for a lock for longer than lock_timeout allows",
  "53000": "The database's server lacks resources",
  "53100": "The disk of the database's server is full",
  "53200": "The database's server is out of memory",
  "53400": "It exceeds a limit of the database's settings, such as temp_file_limit",
  "08P01": "A connection pooler or the protocol ended it, for example query_timeout of pgbouncer",
};

/** Recovery conflicts and serialization failures: the attempts that read a replica are free, see report-source.ts. */
const conflict = "40001";

/**
 * Maps an error of the query for a report's rows to what it means to the attempt.
 * @param isLastServer no later attempt reads another server, so that a conflict may come back each time.
 */
export function mapAttemptError(error: unknown, definition: ReportTypeDefinition, isLastServer: boolean): unknown {
  if (error instanceof ExpectedError) return error;
  const code = codeOf(error);
  const limit = code === undefined ? undefined : limits[code];
  if (limit !== undefined) return limitError(`${limit} (SQLSTATE ${code}).`, error);
  if (code === conflict && isLastServer)
    return limitError(`It conflicted with other work of the database's server (SQLSTATE ${code}).`, error);
  return mapReportError(error, definition);
}

function limitError(reason: string, cause: unknown): StoreLimitError {
  return new StoreLimitError(`${reason} Ask for fewer rows, or quote its id to the operators.`, { cause });
}

/** Maps an error of a query for rows, of a report or of a preview. */
export function mapReportError(error: unknown, { type, rows }: ReportTypeDefinition): unknown {
  if (error instanceof ExpectedError) return error;
  const code = codeOf(error);
  // The statement time-out is the run-time limit; pg_cancel_backend by an operator has the same code.
  if (code === "57014") return runTimeExceeded(null, error);
  if (code?.startsWith("22") === true) {
    return new PermanentReportError(
      "INVALID_DATA",
      "The database holds a value from which the report cannot be computed.",
      error,
    );
  }
  const mapped = mapStoreError(error);
  if (rows.kind !== "view" || mapped !== error || code === undefined) return mapped;
  // Access rules, names and types; a feature that an engine lacks.
  if (/^(42...|3F000|0A000)$/.test(code)) {
    return new ReportNotServedError(
      "TYPE_UNUSABLE",
      `${rows.view} cannot be read as the report type ${type} says (${code}).`,
      error,
    );
  }
  // What stands behind a foreign table: the server itself is well.
  if (code.startsWith("HV")) {
    return new StoreUnavailableError(`The foreign server of ${rows.view} cannot be used now (${code}).`, {
      cause: error,
    });
  }
  return error;
}
