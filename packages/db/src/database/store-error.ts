import { readForeignMessage, StoreUnavailableError } from "@reports/core/base";
import { DrizzleQueryError } from "drizzle-orm";
import { DatabaseError } from "pg";
import { wrongQueueSchemaState } from "../queue/queue-schema.ts";

/** Codes of Node and postgres.js for a connection that failed or was lost. */
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

/** SQLSTATEs that are temporary for short calls to the service's database. Some of them can recur at every attempt of a report. rows/report-error.ts lists those. */
export const transientStates: ReadonlySet<string> = new Set(
  [
    [wrongQueueSchemaState],
    // Serialization failures, deadlocks, read-only servers, time limits of transactions and locks.
    ["40001", "40P01", "25006", "25P03", "25P04", "55P03"],
    // Connections, resources, and ends of statements, sessions and servers.
    ["08000", "08001", "08003", "08004", "08006", "08007", "08P01"],
    ["53000", "53100", "53200", "53300", "53400"],
    ["57014", "57P01", "57P02", "57P03", "57P04", "57P05"],
  ].flat(),
);

/** SQLSTATEs of a source that are temporary. After any other one, its report types are unusable until somebody fixes the source. */
const transientSourceStates: ReadonlySet<string> = new Set(
  [
    // Serialization failures, deadlocks, time limits of transactions and locks.
    ["40001", "40P01", "25P03", "25P04", "55P03"],
    // Connections, including those from the source to foreign servers.
    ["08000", "08001", "08003", "08004", "08006", "08007", "HV00L", "HV00M", "HV00N"],
    // Objects that are in use or not ready; errors of the server's operating system, such as its disk.
    ["55000", "55006", "58000", "58030", "58P01", "58P02"],
    // Resources; a server that is stopping, starting, or out of connections.
    ["53000", "53100", "53200", "53300", "53400", "HV001", "HV014"],
    ["57014", "57P01", "57P02", "57P03", "57P04", "57P05"],
  ].flat(),
);

/** Connection errors of pg that have no code, by their messages. */
const connectionMessages =
  /connection terminated|timeout expired|client has encountered a connection error|connection is closed/i;

/** Returns the code of an error or of its first cause that has one: an SQLSTATE, or a code of Node or the driver. drizzle wraps the driver's errors. */
export function codeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return undefined;
}

export function violatedConstraintOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // postgres.js calls it `constraint_name`, pg calls it `constraint`.
    if ("constraint_name" in cause && typeof cause.constraint_name === "string") return cause.constraint_name;
    if ("constraint" in cause && typeof cause.constraint === "string") return cause.constraint;
  }
  return undefined;
}

/** Thrown if a source refuses the connection or a setting, and would refuse it again. The message contains no password. */
export class ServerRefusedError extends Error {
  override readonly name = "ServerRefusedError";
  /** The refusal as a sentence without the final period. */
  readonly what: string;
  constructor(what: string, cause: unknown, password = "") {
    const text = serverErrorText(cause);
    super(`${what}: ${password === "" ? text : text.replaceAll(password, "***")}`, { cause });
    this.what = what;
  }
}

/** Returns the message of the innermost error, shortened to 350 characters, with its code. */
export function serverErrorText(error: unknown): string {
  if (error instanceof ServerRefusedError) return error.message;
  const code = codeOf(error);
  return `${readForeignMessage(innermostCauseOf(error), 350)}${code === undefined ? "" : ` (${code})`}`;
}

/** Reports whether the error is a response of the server, as opposed to a failed connection. */
export function isServerError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof DatabaseError || cause.name === "PostgresError") return true;
  return false;
}

/** Reports whether a source's error is temporary: a failed connection, or an SQLSTATE that can pass. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ServerRefusedError) return false;
  if (!isServerError(error)) return refusalOf(error) === null && isUnavailable(error);
  const code = codeOf(error) ?? "";
  // If fatal, it is a pooler that has no server and ends the connection. As a statement's error, it means that the server cannot run the statement.
  return code === "08P01" || code === "XX000" ? isFatal(error) : transientSourceStates.has(code);
}

/** Reports whether the error ends the connection. pg gives the severity in the server's language, but in most languages these words are the same. */
export function isFatal(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("severity" in cause) return cause.severity === "FATAL" || cause.severity === "PANIC";
  return false;
}

/** Reports whether the connection to Postgres or the server's state caused the error, so that a retry makes sense. A refused connection is included, because somebody may be changing a password. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ServerRefusedError) return false;
  // A statement can raise the same codes, for example if a foreign server refuses a login.
  if (isFatal(error) || (!isServerError(error) && refusalOf(error) !== null)) return true;
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && connectionMessages.test(error.message);
  return connectionCodes.has(code) || transientStates.has(code);
}

/** Reports whether Postgres refused a statement on a working connection. Its transaction then cannot commit. */
export function isRefused(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("severity" in cause) return cause.severity === "ERROR";
  }
  return false;
}

/** SQLSTATEs for a user, password or database that Postgres does not accept. */
const loginStates = new Set(["28000", "28P01", "3D000"]);
const tlsCodes = /^(CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_OSSL_)|SELF_SIGNED|^EPROTO$/;

/** Reports whether Postgres refused the user or the password, which somebody can change while the program waits. */
export function isLoginRefused(error: unknown): boolean {
  const code = codeOf(error);
  return code === "28P01" || code === "28000";
}

/** Messages of pg that have no code: the server has no TLS, or the URL lacks the required password. */
const refusalMessages = /does not support SSL|client password must be/;

/** Returns Postgres's or Node's message if a retry can't fix a refused connection: wrong user, password, database or TLS. Null for other errors. */
export function refusalOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && (loginStates.has(cause.code) || tlsCodes.test(cause.code)))
      return cause.message;
    if (cause.cause === undefined && refusalMessages.test(cause.message)) return cause.message;
  }
  return null;
}

/** Converts a driver's error that is temporary to StoreUnavailableError. Removes the parameters of statements, because errors are logged. */
export function mapStoreError(error: unknown): unknown {
  removeParameters(error);
  if (error instanceof StoreUnavailableError || !isUnavailable(error)) return error;
  // The function enqueue_reports raises it, with a text that names both schemas.
  if (codeOf(error) === wrongQueueSchemaState)
    return new StoreUnavailableError(`${innermostCauseOf(error as Error).message}.`, { cause: error });
  return new StoreUnavailableError(
    `Postgres cannot be used now (${codeOf(error) ?? "connection lost"}); try again later.`,
    {
      cause: error,
    },
  );
}

function innermostCauseOf<T>(error: T): T | Error {
  let first: T | Error = error;
  while (first instanceof Error && first.cause instanceof Error) first = first.cause;
  return first;
}

/** Removes the parameters that drizzle writes into the message and the stack of an error. */
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
