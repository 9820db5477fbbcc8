import { foreignMessage, StoreUnavailableError } from "@reports/core/base";
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

/** SQLSTATEs that can pass for a short service call. A long report may meet some at every attempt: rows/report-error.ts. */
export const transientStates: ReadonlySet<string> = new Set(
  [
    [wrongQueueSchemaState],
    // Serialization, deadlocks, read-only servers, time limits of transactions and locks.
    ["40001", "40P01", "25006", "25P03", "25P04", "55P03"],
    // Connections, resources, and ends of statements, sessions and servers.
    ["08000", "08001", "08003", "08004", "08006", "08007", "08P01"],
    ["53000", "53100", "53200", "53300", "53400"],
    ["57014", "57P01", "57P02", "57P03", "57P04", "57P05"],
  ].flat(),
);

/** SQLSTATEs of a source that can pass by themselves. Any other makes its types unusable until someone acts. */
const transientSourceStates: ReadonlySet<string> = new Set(
  [
    // Serialization, deadlocks, time limits of transactions and locks.
    ["40001", "40P01", "25P03", "25P04", "55P03"],
    // Connections, those of the source to foreign servers included.
    ["08000", "08001", "08003", "08004", "08006", "08007", "HV00L", "HV00M", "HV00N"],
    // Objects that are in use or not ready; errors of the server's system, such as its disk.
    ["55000", "55006", "58000", "58030", "58P01", "58P02"],
    // Resources; a server that is stopping, starting, or out of connections.
    ["53000", "53100", "53200", "53300", "53400", "HV001", "HV014"],
    ["57014", "57P01", "57P02", "57P03", "57P04", "57P05"],
  ].flat(),
);

/** Messages of pg without a code. */
const connectionMessages =
  /connection terminated|timeout expired|client has encountered a connection error|connection is closed/i;

/** Returns an error's or cause's SQLSTATE, Node or driver code (drizzle wraps the driver's). */
export function codeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return undefined;
}

export function violatedConstraintOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // postgres.js names it constraint_name, pg constraint.
    if ("constraint_name" in cause && typeof cause.constraint_name === "string") return cause.constraint_name;
    if ("constraint" in cause && typeof cause.constraint === "string") return cause.constraint;
  }
  return undefined;
}

/** A source refuses the connection or a setting, and would again. The message has no password. */
export class ServerRefusedError extends Error {
  override readonly name = "ServerRefusedError";
  /** The refusal, as a sentence without its end. */
  readonly what: string;
  constructor(what: string, cause: unknown, password = "") {
    const text = serverErrorText(cause);
    super(`${what}: ${password === "" ? text : text.replaceAll(password, "***")}`, { cause });
    this.what = what;
  }
}

/** Returns the message of a server or driver, bounded, with its SQLSTATE. */
export function serverErrorText(error: unknown): string {
  if (error instanceof ServerRefusedError) return error.message;
  const code = codeOf(error);
  return `${foreignMessage(firstCauseOf(error), 350)}${code === undefined ? "" : ` (${code})`}`;
}

/** Whether a server answered with an error, as opposed to a failed connection. */
export function isServerError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof DatabaseError || cause.name === "PostgresError") return true;
  return false;
}

/** Whether a source's error can pass: no answer, or one of the passing states. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ServerRefusedError) return false;
  if (!isServerError(error)) return isUnavailable(error);
  const code = codeOf(error) ?? "";
  // Poolers end connections with these when they have no server; as a statement's error they mean that the server cannot run it.
  return code === "08P01" || code === "XX000" ? isFatal(error) : transientSourceStates.has(code);
}

/** Whether an answer ends the connection. pg has the severity in the server's language, where this word is mostly the same. */
export function isFatal(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("severity" in cause) return cause.severity === "FATAL" || cause.severity === "PANIC";
  return false;
}

/** Whether the connection to Postgres or its state is the cause, so that a retry makes sense. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ServerRefusedError) return false;
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && connectionMessages.test(error.message);
  return connectionCodes.has(code) || transientStates.has(code);
}

/** Whether Postgres refused a statement on a working connection: then nothing of its transaction commits. */
export function isRefused(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("severity" in cause) return cause.severity === "ERROR";
  }
  return false;
}

/** SQLSTATEs of refused users, passwords and databases. */
const refusals = new Set(["28000", "28P01", "3D000"]);
const tlsCodes = /^(CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_OSSL_)|SELF_SIGNED|^EPROTO$/;

/** Messages of pg without a code: a server without TLS, and a URL without the required password. */
const refusalMessages = /does not support SSL|client password must be/;

/**
 * Returns why a connection was refused, in the words of Postgres or Node, if a retry cannot change that: the user is not admitted, the
 * database does not exist, or TLS does not match. Null for other errors.
 */
export function refusalOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && (refusals.has(cause.code) || tlsCodes.test(cause.code)))
      return cause.message;
    if (cause.cause === undefined && refusalMessages.test(cause.message)) return cause.message;
  }
  return null;
}

/** Turns a driver's error into StoreUnavailableError. Removes a statement's parameters, because errors reach logs. */
export function mapStoreError(error: unknown): unknown {
  removeParameters(error);
  if (error instanceof StoreUnavailableError || !isUnavailable(error)) return error;
  // Our own text, which names both schemas.
  if (codeOf(error) === wrongQueueSchemaState)
    return new StoreUnavailableError(`${firstCauseOf(error as Error).message}.`, { cause: error });
  return new StoreUnavailableError(
    `Postgres cannot be used now (${codeOf(error) ?? "connection lost"}); try again later.`,
    {
      cause: error,
    },
  );
}

function firstCauseOf<T>(error: T): T | Error {
  let first: T | Error = error;
  while (first instanceof Error && first.cause instanceof Error) first = first.cause;
  return first;
}

/** drizzle writes parameters into an error's message and stack. */
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
