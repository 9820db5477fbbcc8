import {
  ExpectedError,
  PermanentReportError,
  ReportNotServedError,
  StoreLimitError,
  StoreUnavailableError,
} from "@reports/core/base";
import { runTimeExceededError, type ReportTypeDefinition } from "@reports/core/report";
import { columnWithoutLength } from "../relations/interval-seconds.ts";
import {
  serverErrorText,
  isTransientSourceError,
  codeOf,
  isServerError,
  mapStoreError,
  ServerRefusedError,
} from "../database/store-error.ts";

/**
 * SQLSTATEs that end a report's transaction and can recur at every attempt, because of a setting, a full disk or the query. For the service's own short calls
 * most of them are transient (store-error.ts). Deadlocks, crashes and lost or refused connections are transient for reports too.
 */
const limitReasons: Readonly<Record<string, string>> = {
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

/** Like `limits`, but only on the last server of the source (report-source.ts). An earlier attempt on a replica does not count as a failure. */
const recurringReasons: Readonly<Record<string, string>> = {
  "40001": "It conflicted with other work of the database's server",
  "57P01": "An administrator or a restart of the database's server ended its session",
};

interface AttemptState {
  /** Whether no later attempt reads another server, so that a transient error may recur each time. */
  readonly isLastServer: boolean;
  /** Whether the attempt has used up its run time, measured by this process. */
  readonly isOutOfTime: boolean;
}

export function mapAttemptError(error: unknown, definition: ReportTypeDefinition, state: AttemptState): unknown {
  if (error instanceof ExpectedError) return error;
  if (error instanceof ServerRefusedError) return mapReportError(error, definition);
  const code = codeOf(error);
  if (code === "57014" && !state.isOutOfTime) return limitError(stoppedEarlyReason, error);
  const limit = code === undefined ? undefined : limitReasons[code];
  if (limit !== undefined) return limitError(`${limit} (SQLSTATE ${code}).`, error);
  const recurs = code === undefined || !state.isLastServer ? undefined : recurringReasons[code];
  if (recurs !== undefined) return limitError(`${recurs} (SQLSTATE ${code}).`, error);
  return mapReportError(error, definition);
}

/** Postgres measures statement_timeout by its wall clock. If that clock is set forward, it ends a statement that has just begun. */
const stoppedEarlyReason =
  "The database stopped its query before its time was over: its clock was set forward, a foreign server has a shorter time limit, or an operator cancelled the query (SQLSTATE 57014).";

function limitError(reason: string, cause: unknown): StoreLimitError {
  return new StoreLimitError(`${reason} Ask for fewer rows, or quote its id to the operators.`, { cause });
}

export function mapReportError(error: unknown, definition: ReportTypeDefinition): unknown {
  if (error instanceof ExpectedError) return error;
  if (error instanceof ServerRefusedError) {
    if (definition.rows.kind === "view") return typeUnusableError(error, definition);
    return new StoreUnavailableError(`The database cannot be used now. ${error.message}`, { cause: error });
  }
  const code = codeOf(error);
  // A statement timeout. In an attempt, mapAttemptError has already checked the run time; in a preview it is the deadline.
  if (code === "57014") return runTimeExceededError(null, error);
  if (code?.startsWith("22") === true) {
    return new PermanentReportError("INVALID_DATA", describeInvalidData(error, definition), error);
  }
  const mapped = mapStoreError(error);
  if (definition.rows.kind !== "view" || mapped !== error || code === undefined) return mapped;
  // Errors of access rights, names and types, of a feature that an engine lacks, or of a foreign server that does not fit its definition.
  if (/^(28...|3D000|3F000|42...|0A000|HV...)$/.test(code)) {
    if (!isTransientSourceError(error)) return typeUnusableError(error, definition);
    return new StoreUnavailableError(`The foreign server of ${definition.rows.view} cannot be used now (${code}).`, {
      cause: error,
    });
  }
  return error;
}

function describeInvalidData(error: unknown, { rows }: ReportTypeDefinition): string {
  const key = rows.kind === "view" ? columnWithoutLength(serverErrorText(error), rows) : undefined;
  return key === undefined
    ? "The database holds a value from which the report cannot be computed."
    : `A value of ${key} is an interval of months or years, or infinite, and has no fixed length. The view must return days, hours, minutes and seconds only.`;
}

/** Maps an error of a preview. A preview is not retried, so any other error of the server means that the view cannot be read. */
export function mapPreviewError(error: unknown, definition: ReportTypeDefinition): unknown {
  const mapped = mapReportError(error, definition);
  const isRefusal = definition.rows.kind === "view" && !(mapped instanceof ExpectedError) && isServerError(mapped);
  return isRefusal ? typeUnusableError(error, definition) : mapped;
}

function typeUnusableError(error: unknown, { type, rows }: ReportTypeDefinition): ReportNotServedError {
  const view = rows.kind === "view" ? rows.view : "The source";
  return new ReportNotServedError(
    "TYPE_UNUSABLE",
    `${view} cannot be read as the report type ${type} says. ${serverErrorText(error)}`,
    error,
  );
}
