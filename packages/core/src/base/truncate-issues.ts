import { DomainError, type ErrorKind, type InputIssue } from "./errors.ts";
import type { ProblemCode } from "./problems/problem-catalogue.ts";

/** Largest number of mistakes that the response to one invalid input lists. The response only counts the others. */
export const maxListedIssues = 20;

/** Largest list of mistakes, in bytes of JSON. The response repeats their messages in `detail` and still stays below 16 KiB. */
const maxListedBytes = 6_000;
const maxLocationLength = 200;
const maxMessageLength = 1_200;

export interface TruncatedIssues {
  readonly listed: readonly InputIssue[];
  readonly more: number;
}

export function truncateIssues(issues: readonly InputIssue[]): TruncatedIssues {
  const listed: InputIssue[] = [];
  let bytes = 0;
  for (const issue of issues.slice(0, maxListedIssues)) {
    const short = shortenIssue(issue);
    bytes += Buffer.byteLength(JSON.stringify(short));
    if (listed.length > 0 && bytes > maxListedBytes) break;
    listed.push(short);
  }
  return { listed, more: issues.length - listed.length };
}

/** Returns the error for an invalid input. Its message begins with `lead` and a colon. It lists the first mistakes and counts the others. */
export function invalidInputError(
  kind: ErrorKind,
  code: ProblemCode,
  lead: string,
  issues: readonly InputIssue[],
): DomainError {
  const { listed, more } = truncateIssues(issues);
  // If one mistake concerns two fields, each field has an issue, but the message contains the sentence only once.
  const messages = [...new Set(listed.map(({ message }) => message))].join(" ");
  const rest = more === 0 ? "" : ` … and ${more.toLocaleString("en-US")} more.`;
  return new DomainError(kind, code, `${lead}: ${messages}${rest}`, { issues: listed });
}

function shortenIssue({ parameter, pointer, header, code, message }: InputIssue): InputIssue {
  return {
    ...(parameter === undefined ? {} : { parameter: truncateText(parameter, maxLocationLength) }),
    ...(pointer === undefined ? {} : { pointer: truncateText(pointer, maxLocationLength) }),
    ...(header === undefined ? {} : { header }),
    code,
    message: truncateText(message, maxMessageLength),
  };
}

export function truncateText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}
