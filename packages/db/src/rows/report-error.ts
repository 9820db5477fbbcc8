import {
  ExpectedError,
  PermanentReportError,
  ReportNotServedError,
  StoreLimitError,
  StoreUnavailableError,
} from "@reports/core/base";
import { runTimeExceeded, type ReportTypeDefinition } from "@reports/core/report";
import {
  serverErrorText,
  isTransient,
  codeOf,
  isServerError,
  mapStoreError,
  ServerRefusedError,
} from "../database/store-error.ts";

/**
 * SQLSTATEs that end a report's transaction and may recur, because of a setting, a full disk or the query. For short service calls most of
 * them pass (store-error.ts). Deadlocks, crashes, and lost or refused connections pass.
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

/** These count from the attempt that reads the last server (report-source.ts). Attempts on a replica are free. */
const repeating: Readonly<Record<string, string>> = {
  "40001": "It conflicted with other work of the database's server",
  "57P01": "An administrator or a restart of the database's server ended its session",
};

interface AttemptMoment {
  /** No later attempt reads another server, so that a passing error may recur each time. */
  readonly isLastServer: boolean;
  /** The attempt has used its run time, by this process's own timer. */
  readonly isOutOfTime: boolean;
}

export function mapAttemptError(error: unknown, definition: ReportTypeDefinition, moment: AttemptMoment): unknown {
  if (error instanceof ExpectedError) return error;
  if (error instanceof ServerRefusedError) return mapReportError(error, definition);
  const code = codeOf(error);
  if (code === "57014" && !moment.isOutOfTime) return limitError(stoppedEarly, error);
  const limit = code === undefined ? undefined : limits[code];
  if (limit !== undefined) return limitError(`${limit} (SQLSTATE ${code}).`, error);
  const repeated = code === undefined || !moment.isLastServer ? undefined : repeating[code];
  if (repeated !== undefined) return limitError(`${repeated} (SQLSTATE ${code}).`, error);
  return mapReportError(error, definition);
}

/** Postgres measures statement_timeout by its wall clock: setting it forward ends a new statement. */
const stoppedEarly =
  "The database stopped its query before its time was over: its clock was set forward, a foreign server has a shorter time limit, or an operator cancelled the query (SQLSTATE 57014).";

function limitError(reason: string, cause: unknown): StoreLimitError {
  return new StoreLimitError(`${reason} Ask for fewer rows, or quote its id to the operators.`, { cause });
}

export function mapReportError(error: unknown, definition: ReportTypeDefinition): unknown {
  if (error instanceof ExpectedError) return error;
  if (error instanceof ServerRefusedError) {
    if (definition.rows.kind === "view") return refused(error, definition);
    return new StoreUnavailableError(`The database cannot be used now. ${error.message}`, { cause: error });
  }
  const code = codeOf(error);
  // The statement's time limit: an attempt's run time (mapAttemptError), or a preview's deadline.
  if (code === "57014") return runTimeExceeded(null, error);
  if (code?.startsWith("22") === true) {
    return new PermanentReportError(
      "INVALID_DATA",
      "The database holds a value from which the report cannot be computed.",
      error,
    );
  }
  const mapped = mapStoreError(error);
  if (definition.rows.kind !== "view" || mapped !== error || code === undefined) return mapped;
  // Access rules, names and types; a missing feature of an engine; a foreign server that does not fit its definition.
  if (/^(28...|3D000|3F000|42...|0A000|HV...)$/.test(code)) {
    if (!isTransient(error)) return refused(error, definition);
    return new StoreUnavailableError(`The foreign server of ${definition.rows.view} cannot be used now (${code}).`, {
      cause: error,
    });
  }
  return error;
}

/** A preview has no attempts, so any other answer of a source means that it cannot be read. */
export function mapPreviewError(error: unknown, definition: ReportTypeDefinition): unknown {
  const mapped = mapReportError(error, definition);
  const isRefusal = definition.rows.kind === "view" && !(mapped instanceof ExpectedError) && isServerError(mapped);
  return isRefusal ? refused(error, definition) : mapped;
}

function refused(error: unknown, { type, rows }: ReportTypeDefinition): ReportNotServedError {
  const view = rows.kind === "view" ? rows.view : "The source";
  return new ReportNotServedError(
    "TYPE_UNUSABLE",
    `${view} cannot be read as the report type ${type} says. ${serverErrorText(error)}`,
    error,
  );
}
