import {
  ExpectedError,
  PermanentReportError,
  ReportNotServedError,
  DatabaseLimitError,
  StoreUnavailableError,
} from "@reports/core/base";
import { runTimeExceededError, type ReportTypeDefinition } from "@reports/core/report";
import { findIntervalErrorColumn } from "../relations/interval-seconds.ts";
import {
  describePostgresError,
  isTransientSourceError,
  firstErrorCodeOf,
  isPostgresError,
  mapDatabaseError,
  ServerRefusedError,
} from "../database/store-error.ts";

/**
 * SQLSTATEs that can recur at every attempt, because of a setting, a full disk or the query. They count as failures, with these texts. In short
 * queries of the service, most of them are transient (store-error.ts). Deadlocks, crashes and lost connections are not listed, because they are
 * transient for reports too.
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

/** On the source's last server, these SQLSTATEs count as failures too. On a replica they are transient, because a later attempt reads the primary. */
const recurringReasons: Readonly<Record<string, string>> = {
  "40001": "It conflicted with other work of the database's server",
  "57P01": "An administrator or a restart of the database's server ended its session",
};

interface AttemptState {
  /** True if no later attempt reads another server. A transient error may then recur at every attempt. */
  readonly isLastServer: boolean;
  readonly isOutOfTime: boolean;
}

export function mapAttemptSourceError(error: unknown, definition: ReportTypeDefinition, state: AttemptState): unknown {
  if (error instanceof ExpectedError) return error;
  if (error instanceof ServerRefusedError) return mapReportSourceError(error, definition);
  const code = firstErrorCodeOf(error);
  if (code === "57014" && !state.isOutOfTime) return limitError(stoppedEarlyReason, error);
  const limit = code === undefined ? undefined : limitReasons[code];
  if (limit !== undefined) return limitError(`${limit} (SQLSTATE ${code}).`, error);
  const recurs = code === undefined || !state.isLastServer ? undefined : recurringReasons[code];
  if (recurs !== undefined) return limitError(`${recurs} (SQLSTATE ${code}).`, error);
  return mapReportSourceError(error, definition);
}

/** Postgres measures statement_timeout by its wall clock. If that is set forward, a statement can end right after its start. */
const stoppedEarlyReason =
  "The database stopped its query before its time was over: its clock was set forward, a foreign server has a shorter time limit, or an operator cancelled the query (SQLSTATE 57014).";

function limitError(reason: string, cause: unknown): DatabaseLimitError {
  return new DatabaseLimitError(`${reason} Ask for fewer rows, or quote its id to the operators.`, { cause });
}

export function mapReportSourceError(error: unknown, definition: ReportTypeDefinition): unknown {
  if (error instanceof ExpectedError) return error;
  if (error instanceof ServerRefusedError) {
    if (definition.rows.kind === "view") return typeUnusableError(error, definition);
    return new StoreUnavailableError(`The database cannot be used now. ${error.message}`, { cause: error });
  }
  const code = firstErrorCodeOf(error);
  // 57014 means that statement_timeout has passed, because mapAttemptSourceError has already handled statements that were stopped early.
  if (code === "57014") return runTimeExceededError(null, error);
  if (code?.startsWith("22") === true) {
    return new PermanentReportError("INVALID_DATA", describeInvalidData(error, definition), error);
  }
  const mapped = mapDatabaseError(error);
  if (definition.rows.kind !== "view" || mapped !== error || code === undefined) return mapped;
  // Errors of rights, names and types, of features that an engine lacks, or of a foreign server that does not fit its definition.
  if (/^(28...|3D000|3F000|42...|0A000|HV...)$/.test(code)) {
    if (!isTransientSourceError(error)) return typeUnusableError(error, definition);
    return new StoreUnavailableError(`The foreign server of ${definition.rows.view} cannot be used now (${code}).`, {
      cause: error,
    });
  }
  return error;
}

function describeInvalidData(error: unknown, { rows }: ReportTypeDefinition): string {
  const key = rows.kind === "view" ? findIntervalErrorColumn(describePostgresError(error), rows) : undefined;
  return key === undefined
    ? "The database holds a value from which the report cannot be computed."
    : `A value of ${key} is an interval of months or years, or infinite, and has no fixed length. The view must return days, hours, minutes and seconds only.`;
}

/** A preview is not retried. So an unexpected error of the server means that the view can't be read. */
export function mapPreviewSourceError(error: unknown, definition: ReportTypeDefinition): unknown {
  const mapped = mapReportSourceError(error, definition);
  const isRefusal = definition.rows.kind === "view" && !(mapped instanceof ExpectedError) && isPostgresError(mapped);
  return isRefusal ? typeUnusableError(error, definition) : mapped;
}

function typeUnusableError(error: unknown, { type, rows }: ReportTypeDefinition): ReportNotServedError {
  const view = rows.kind === "view" ? rows.view : "The source";
  return new ReportNotServedError(
    "TYPE_UNUSABLE",
    `${view} cannot be read as the report type ${type} says. ${describePostgresError(error)}`,
    error,
  );
}
