import { DomainError, type ErrorKind, type InputIssue } from "./errors.ts";
import type { ProblemCode } from "./problems/problem-catalogue.ts";

/** Problems that are listed per input; the others are only counted. */
export const maxListedIssues = 20;

/** Bytes of the list as JSON. With the same messages in `detail`, a response stays below 16 KiB. */
const maxListedBytes = 6_000;
const maxPlaceLength = 200;
const maxMessageLength = 1_200;

export interface ListedIssues {
  readonly listed: readonly InputIssue[];
  readonly more: number;
}

/** Lists the first problems: at most 20, fewer if they are long. */
export function listIssues(issues: readonly InputIssue[]): ListedIssues {
  const listed: InputIssue[] = [];
  let bytes = 0;
  for (const issue of issues.slice(0, maxListedIssues)) {
    const short = shorten(issue);
    bytes += Buffer.byteLength(JSON.stringify(short));
    if (listed.length > 0 && bytes > maxListedBytes) break;
    listed.push(short);
  }
  return { listed, more: issues.length - listed.length };
}

/** Makes the error for an input: it lists the first problems and counts the rest. `lead` is a sentence without its end. */
export function invalidInput(
  kind: ErrorKind,
  code: ProblemCode,
  lead: string,
  issues: readonly InputIssue[],
): DomainError {
  const { listed, more } = listIssues(issues);
  // A problem of two fields is listed for each, but its message appears once.
  const messages = [...new Set(listed.map(({ message }) => message))].join(" ");
  const rest = more === 0 ? "" : ` … and ${more.toLocaleString("en-US")} more.`;
  return new DomainError(kind, code, `${lead}: ${messages}${rest}`, { issues: listed });
}

function shorten({ parameter, pointer, header, code, message }: InputIssue): InputIssue {
  return {
    ...(parameter === undefined ? {} : { parameter: clip(parameter, maxPlaceLength) }),
    ...(pointer === undefined ? {} : { pointer: clip(pointer, maxPlaceLength) }),
    ...(header === undefined ? {} : { header }),
    code,
    message: clip(message, maxMessageLength),
  };
}

/** Cuts a text to `maxLength` UTF-16 units, ending in an ellipsis. */
export function clip(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}
