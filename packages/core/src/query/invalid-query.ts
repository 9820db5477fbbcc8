import type { DomainError, InputIssue } from "../errors.ts";
import { invalidInput } from "../list-issues.ts";

/** The error for the query of a list, with everything that is wrong with it. */
export function invalidQuery(issues: readonly InputIssue[]): DomainError {
  return invalidInput("bad-request", "invalid-parameters", "The query is not valid", issues);
}

/** What is wrong with a cursor, whoever finds it: its seal, or a position that the list cannot have. */
export const badCursorIssue: InputIssue = {
  parameter: "cursor",
  code: "bad_cursor",
  message: "cursor does not belong to this list with these filters and this sort. Start again without a cursor.",
};

/** The error for such a cursor. */
export function badCursor(): DomainError {
  return invalidQuery([badCursorIssue]);
}
