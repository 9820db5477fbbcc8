import { DomainError, type ErrorKind, type InputIssue } from "./errors.ts";
import type { ProblemCode } from "./problems/problem-catalogue.ts";

/** How many problems of one input are listed; of the others only their number is told. */
export const maxListedIssues = 20;

/** Of the list as JSON, in bytes: with the same messages in the detail once more, an answer stays below 16 KiB. */
const maxListedBytes = 6_000;
const maxPlaceLength = 200;
const maxMessageLength = 1_200;

/** The problems that are listed, and how many there are beside them. */
export interface ListedIssues {
  readonly listed: readonly InputIssue[];
  readonly more: number;
}

/** The first problems, twenty at most and fewer where they are long: whatever was sent, nobody is told more than can be read. */
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

/** An input that is wrong in one way or several: the error lists the first problems and says how many more there are. `lead` is a sentence without its end. */
export function invalidInput(
  kind: ErrorKind,
  code: ProblemCode,
  lead: string,
  issues: readonly InputIssue[],
): DomainError {
  const { listed, more } = listIssues(issues);
  // What is wrong with two fields together is told once, and listed for each of them.
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

/** The text, cut to so many UTF-16 units where it is longer; an ellipsis shows it. */
export function clip(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}
