import { GatewayError, ReportFailedError } from "@reports/client";
import { CommandError } from "./command-error.ts";
import { exitCodeNameOfHttpStatus, exitCodes, isNotFoundOrGoneStatus, isRefusedByRecordState } from "./exit-code.ts";
import { InterruptedError } from "./interrupt.ts";
import { formatFlagPrefix, type FlagNamesByField } from "./issue-flag.ts";
import { toSafeText } from "./output/to-safe-text.ts";

/** The exit code for an error, and the lines to print. There are none if the error was already printed. */
export interface ErrorDescription {
  readonly exitCode: number;
  readonly lines: readonly string[];
}

export function describeError(error: unknown): ErrorDescription {
  if (error instanceof CommandError) return { exitCode: error.exitCode, lines: error.message.split("\n") };
  if (error instanceof InterruptedError) return { exitCode: error.exitCode, lines: [] };
  if (error instanceof GatewayError) return describeGatewayError(error);
  if (error instanceof ReportFailedError) return { exitCode: exitCodes.failed, lines: [toSafeText(error.message)] };
  const message = toSafeText(error instanceof Error ? error.message : String(error));
  if (error instanceof Error && "syscall" in error) {
    const what =
      "code" in error && error.code === "EPIPE" ? "Standard output was closed before the file's end" : message;
    return { exitCode: exitCodes.failed, lines: [`The file is not saved: ${what}`] };
  }
  // The client throws a TypeError for wrong options before it sends a request.
  return { exitCode: error instanceof TypeError ? exitCodes.usage : exitCodes.failed, lines: [message] };
}

/** Describes a failed write to standard output. If the reader ended early, as `head` does, that is not an error. */
export function describeWriteError(error: NodeJS.ErrnoException): ErrorDescription {
  if (error.code === "EPIPE") return { exitCode: exitCodes.done, lines: [] };
  const line = `Standard output cannot be written: ${toSafeText(error.message)}. The output is not complete.`;
  return { exitCode: exitCodes.failed, lines: [line] };
}

/** Calls the gateway. In messages of its errors, `flags` replace the names of the API's fields. */
export async function rethrowWithFlagNames<Answer>(
  flags: FlagNamesByField,
  call: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new CommandError(exitCodeNameOf(error), describeGatewayError(error, flags).lines.join("\n"));
  }
}

function describeGatewayError(error: GatewayError, flags?: FlagNamesByField): ErrorDescription {
  const { status, code, detail, issues, requestId } = error;
  const request = requestId === null ? [] : [`The request's id is ${toSafeText(requestId)}.`];
  // The detail repeats the messages of the issues, which are printed one per line.
  const head = issues.reduce((text, { message }) => text.replace(message, ""), detail).trim();
  const hint = [
    ...(code === "path-not-found" || code === "unexpected-answer"
      ? [checkUrlText]
      : status === 401
        ? [checkCredentialsText]
        : []),
    ...(code === "unexpected-answer" ? [checkLoginText] : []),
  ];
  return {
    exitCode: exitCodes[exitCodeNameOf(error)],
    lines: [
      ...(head === "" ? [] : [toSafeText(head)]),
      ...issues.map(
        (issue) => `${head === "" ? "" : "  "}${formatFlagPrefix(issue, flags)}${toSafeText(issue.message)}`,
      ),
      ...hint,
      // With the request ID, an operator finds the request in the service's logs.
      ...(status >= 500 || code === "unexpected-answer" ? request : []),
    ],
  };
}

const checkUrlText =
  "Check REPORTS_URL: it is the gateway's address as browsers see it, without /v1. The gateway may not support this request.";
const checkLoginText = "If the network or a proxy has a login page, log in there with a browser.";
const checkCredentialsText =
  "Check REPORTS_USER and REPORTS_PASSWORD, or REPORTS_TOKEN. With a profile, sign in again: reports login";

function exitCodeNameOf(error: GatewayError): keyof typeof exitCodes {
  const { status, code } = error;
  if (code === "wrong-file" || isRefusedByRecordState(error)) return "failed";
  // A response with such a code is not from the service, so REPORTS_URL must be wrong. It does not mean that the service is down or the report gone.
  const isWrongServer =
    code === "path-not-found" || (code === "unexpected-answer" && (status < 400 || isNotFoundOrGoneStatus(status)));
  return isWrongServer ? "usage" : exitCodeNameOfHttpStatus(status);
}
