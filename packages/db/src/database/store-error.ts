import { foreignMessage, StoreUnavailableError } from "@reports/core/base";
import { DrizzleQueryError } from "drizzle-orm";
import { DatabaseError } from "pg";
import { otherQueueState } from "../queue/queue-schema.ts";

/** Codes of Node and postgres.js for a connection that could not be had or was lost. */
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

/**
 * SQLSTATEs that can pass for a call of the service, which is short and repeated by its caller. Some of them come back at every attempt of a
 * long report: rows/report-error.ts.
 */
export const passingStates: ReadonlySet<string> = new Set(
  [
    // The queue is in another schema.
    [otherQueueState],
    // Serialization, deadlocks, read-only servers, time limits of transactions and locks.
    ["40001", "40P01", "25006", "25P03", "25P04", "55P03"],
    // Connections, resources, and ends of statements, sessions and servers.
    ["08000", "08001", "08003", "08004", "08006", "08007", "08P01"],
    ["53000", "53100", "53200", "53300", "53400"],
    ["57014", "57P01", "57P02", "57P03", "57P04", "57P05"],
  ].flat(),
);

/**
 * States of a source of report rows that can pass without a change of the source or of its configuration. A source that answers with any
 * other state refuses: its types are unusable until somebody acts.
 */
const passingAnswers: ReadonlySet<string> = new Set(
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

/** Messages of pg, which gives no code to them. */
const connectionMessages =
  /connection terminated|timeout expired|client has encountered a connection error|connection is closed/i;

/** SQLSTATE, Node's or the driver's code of an error or of one of its causes (drizzle wraps the driver's). */
export function codeOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return undefined;
}

/** The name of the constraint that was violated, if that is what happened. */
export function violatedConstraintOf(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // postgres.js calls it constraint_name, pg calls it constraint.
    if ("constraint_name" in cause && typeof cause.constraint_name === "string") return cause.constraint_name;
    if ("constraint" in cause && typeof cause.constraint === "string") return cause.constraint;
  }
  return undefined;
}

/**
 * A source answered, and refuses the connection or a setting of the session. Asking again changes nothing. The message holds the server's
 * own text, bounded and without the password of the URL.
 */
export class ServerRefusedError extends Error {
  override readonly name = "ServerRefusedError";
  /** What is refused, as a sentence without its end. */
  readonly what: string;
  constructor(what: string, cause: unknown, password = "") {
    const text = answerText(cause);
    super(`${what}: ${password === "" ? text : text.replaceAll(password, "***")}`, { cause });
    this.what = what;
  }
}

/** Returns what a server or a driver said, bounded, with its SQLSTATE. */
export function answerText(error: unknown): string {
  if (error instanceof ServerRefusedError) return error.message;
  const code = codeOf(error);
  return `${foreignMessage(firstCauseOf(error), 350)}${code === undefined ? "" : ` (${code})`}`;
}

/** Whether a server answered with an error, as opposed to a connection that could not be had or was lost. */
export function isAnswer(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof DatabaseError || cause.name === "PostgresError") return true;
  return false;
}

/** Whether an error of a source can pass by itself: it did not answer, or its answer is one of a table of states. */
export function canPass(error: unknown): boolean {
  if (error instanceof ServerRefusedError) return false;
  if (!isAnswer(error)) return isUnavailable(error);
  const code = codeOf(error) ?? "";
  // Poolers end connections with these when they have no server; as the error of one statement they mean that the server cannot do it.
  return code === "08P01" || code === "XX000" ? isFatal(error) : passingAnswers.has(code);
}

/** Whether an answer ends the connection. pg gives the severity in the server's language, where this word is the same in most. */
export function isFatal(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("severity" in cause) return cause.severity === "FATAL" || cause.severity === "PANIC";
  return false;
}

/** Whether the cause is the way to Postgres or its state, so that trying again is right. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ServerRefusedError) return false;
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && connectionMessages.test(error.message);
  return connectionCodes.has(code) || passingStates.has(code);
}

/** Whether Postgres itself refused a statement, on a connection that goes on: then nothing of its transaction is committed. */
export function isRefused(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("severity" in cause) return cause.severity === "ERROR";
  }
  return false;
}

/** SQLSTATEs with which Postgres refuses who connects: the user or its password, or that there is such a database. */
const refusals = new Set(["28000", "28P01", "3D000"]);
/** Codes of Node for a server that does not show what it should. */
const tlsCodes = /^(CERT_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|ERR_OSSL_)|SELF_SIGNED|^EPROTO$/;

/** Messages of pg, which gives no code to them: a server without TLS, and a URL without the password that the server asks for. */
const refusalMessages = /does not support SSL|client password must be/;

/**
 * Why a connection was refused, in the words of Postgres or of Node, where neither waiting nor asking again can change that: who connects
 * is not let in, there is no such database, or the two sides do not agree on TLS. Null for every other error.
 */
export function refusalOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string" && (refusals.has(cause.code) || tlsCodes.test(cause.code)))
      return cause.message;
    if (cause.cause === undefined && refusalMessages.test(cause.message)) return cause.message;
  }
  return null;
}

/**
 * The one place that turns a driver's error into StoreUnavailableError; every other error comes back as it is. What a statement was called
 * with (names, filters, hashes) is taken out of them, because errors reach logs.
 */
export function mapStoreError(error: unknown): unknown {
  forgetParameters(error);
  if (error instanceof StoreUnavailableError || !isUnavailable(error)) return error;
  // Our own words, which name both schemas.
  if (codeOf(error) === otherQueueState)
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

/** drizzle writes the values of a failed statement into its error's message, and so into its stack. */
function forgetParameters(error: unknown): void {
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
