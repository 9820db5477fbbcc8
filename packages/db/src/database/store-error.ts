import { readThrownMessage, StoreUnavailableError } from "@reports/core/base";
import { DrizzleQueryError } from "drizzle-orm";
import { DatabaseError } from "pg";
import { wrongQueueSchemaSqlState } from "../queue/queue-schema.ts";

const connectionCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EHOSTDOWN",
  "EADDRNOTAVAIL",
  "EMFILE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
  "CONNECT_TIMEOUT",
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
]);

/** SQLSTATEs after which a short call to the service's database is worth a retry. Reports treat some of them differently: rows/report-error.ts. */
export const transientSqlStates: ReadonlySet<string> = new Set(
  [
    [wrongQueueSchemaSqlState],
    // Serialization failures, deadlocks, read-only servers, time limits of transactions and locks.
    ["40001", "40P01", "25006", "25P03", "25P04", "55P03"],
    // Lost connections (08), exhausted resources (53), and ended statements, sessions and servers (57).
    ["08000", "08001", "08003", "08004", "08006", "08007", "08P01"],
    ["53000", "53100", "53200", "53300", "53400"],
    ["57014", "57P01", "57P02", "57P03", "57P04", "57P05"],
  ].flat(),
);

/** SQLSTATEs of a source after which a retry can succeed. Any other one makes its report types unusable until an operator fixes the source. */
const transientSourceStates: ReadonlySet<string> = new Set(
  [
    // Serialization failures, deadlocks, time limits of transactions and locks.
    ["40001", "40P01", "25P03", "25P04", "55P03"],
    // Lost connections, including those from the source to its foreign servers.
    ["08000", "08001", "08003", "08004", "08006", "08007", "HV00L", "HV00M", "HV00N"],
    // Objects that are in use or not ready, and errors of the server's operating system, such as its disk.
    ["55000", "55006", "58000", "58030", "58P01", "58P02"],
    // Exhausted resources (53, HV), and ended statements, sessions and servers (57).
    ["53000", "53100", "53200", "53300", "53400", "HV001", "HV014"],
    ["57014", "57P01", "57P02", "57P03", "57P04", "57P05"],
  ].flat(),
);

const connectionMessages =
  /connection terminated|timeout expired|client has encountered a connection error|connection is closed/i;

/** Yields an error and its causes. The causes count because drizzle wraps errors. */
export function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}

/** Returns the first code of an error or its causes: an SQLSTATE, or a code of Node or the driver. */
export function firstErrorCodeOf(error: unknown): string | undefined {
  for (const cause of causesOf(error)) if ("code" in cause && typeof cause.code === "string") return cause.code;
  return undefined;
}

export function violatedConstraintOf(error: unknown): string | undefined {
  for (const cause of causesOf(error)) {
    if ("constraint_name" in cause && typeof cause.constraint_name === "string") return cause.constraint_name;
    if ("constraint" in cause && typeof cause.constraint === "string") return cause.constraint;
  }
  return undefined;
}

/** Thrown if a source refuses the connection or a setting, and a retry would be refused too. The message contains no password. */
export class ServerRefusedError extends Error {
  override readonly name = "ServerRefusedError";
  readonly what: string;
  constructor(what: string, cause: unknown, password = "") {
    const text = describePostgresError(cause);
    super(`${what}: ${password === "" ? text : text.replaceAll(password, "***")}`, { cause });
    this.what = what;
  }
}

export function describePostgresError(error: unknown): string {
  if (error instanceof ServerRefusedError) return error.message;
  const code = firstErrorCodeOf(error);
  return `${readThrownMessage(innermostCauseOf(error), 350)}${code === undefined ? "" : ` (${code})`}`;
}

export function isPostgresError(error: unknown): boolean {
  return causesOf(error).some((cause) => cause instanceof DatabaseError || cause.name === "PostgresError");
}

/**
 * Reports whether a retry can succeed after this error of a source: a failed connection, or a temporary SQLSTATE. A refused password, database or
 * TLS counts as permanent.
 */
export function isTransientSourceError(error: unknown): boolean {
  if (error instanceof ServerRefusedError) return false;
  if (!isPostgresError(error)) return connectionRefusalMessage(error) === null && isUnavailabilityError(error);
  const code = firstErrorCodeOf(error) ?? "";
  // If fatal, these codes come from a pooler that has no server at the moment. Otherwise the server cannot run this statement at all.
  return code === "08P01" || code === "XX000" ? isConnectionFatal(error) : transientSourceStates.has(code);
}

/** Returns the severity of an error of Postgres. pg gives it in the server's language, but most languages use Postgres's English words. */
function severityOf(error: unknown): unknown {
  const found = causesOf(error).find((cause) => "severity" in cause);
  return found?.severity;
}

/** Reports whether the error ended the connection. */
export function isConnectionFatal(error: unknown): boolean {
  return ["FATAL", "PANIC"].includes(String(severityOf(error)));
}

/** Reports whether a retry can succeed after this error. A refused password counts as temporary, because an operator may be changing it. */
export function isUnavailabilityError(error: unknown): boolean {
  if (error instanceof ServerRefusedError) return false;
  // On a working connection, a statement can raise the codes of a refused connection, for example if a foreign server refuses its login. So these
  // codes count only if the connection ended or was refused.
  if (isConnectionFatal(error) || (!isPostgresError(error) && connectionRefusalMessage(error) !== null)) return true;
  const code = firstErrorCodeOf(error);
  if (code === undefined) return error instanceof Error && connectionMessages.test(error.message);
  return connectionCodes.has(code) || transientSqlStates.has(code);
}

/** Reports whether Postgres refused a statement but kept the connection. The statement's transaction then cannot commit. */
export function isStatementRefused(error: unknown): boolean {
  return severityOf(error) === "ERROR";
}

const loginStates = new Set(["28000", "28P01", "3D000"]);
const tlsCodes = /^(CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_OSSL_)|SELF_SIGNED|^EPROTO$/;

export function isLoginRefused(error: unknown): boolean {
  const code = firstErrorCodeOf(error);
  return code === "28P01" || code === "28000";
}

/** Messages of pg that have no code: the server has no TLS, or the URL lacks the required password. */
const refusalMessages = /does not support SSL|client password must be/;

/** Returns the message of a refused connection that an operator must fix: wrong user, password, database or TLS. Returns null for other errors. */
export function connectionRefusalMessage(error: unknown): string | null {
  for (const cause of causesOf(error)) {
    if ("code" in cause && typeof cause.code === "string" && (loginStates.has(cause.code) || tlsCodes.test(cause.code)))
      return cause.message;
    if (cause.cause === undefined && refusalMessages.test(cause.message)) return cause.message;
  }
  return null;
}

/** Converts a driver's temporary error to StoreUnavailableError. Removes the statement's parameters from any error, because errors are logged. */
export function mapDatabaseError(error: unknown): unknown {
  removeParameters(error);
  if (error instanceof StoreUnavailableError || !isUnavailabilityError(error)) return error;
  // Postgres's function enqueue_reports raises this error. Its text names the expected and the actual schema.
  if (firstErrorCodeOf(error) === wrongQueueSchemaSqlState)
    return new StoreUnavailableError(`${innermostCauseOf(error as Error).message}.`, { cause: error });
  const code = firstErrorCodeOf(error) ?? "connection lost";
  return new StoreUnavailableError(`Postgres cannot be used now (${code}); try again later.`, { cause: error });
}

function innermostCauseOf<T>(error: T): T | Error {
  return [...causesOf(error)].at(-1) ?? error;
}

/** drizzle writes the parameters into both the message and the stack. */
function removeParameters(error: unknown): void {
  const seen = new Set<unknown>();
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause);
    if (!(cause instanceof DrizzleQueryError)) continue;
    const { message, stack } = cause;
    cause.params = [];
    cause.message = `Failed query: ${cause.query}`;
    const head = `Error: ${message}`;
    cause.stack = `Error: ${cause.message}${stack?.startsWith(head) === true ? stack.slice(head.length) : ""}`;
  }
}
