import { DomainError, type InputIssue } from "../base/errors.ts";
import { invalidInputError } from "../base/truncate-issues.ts";

export function invalidQueryError(issues: readonly InputIssue[]): DomainError {
  return invalidInputError("bad-request", "invalid-parameters", "The query is not valid", issues);
}

export function queryTooLongError(maxCursorLength: number): DomainError {
  const most = maxCursorLength.toLocaleString("en-US");
  const message = `There is a next page, and the filters do not fit into its cursor of at most ${most} characters. Give fewer or shorter values or a larger limit, or ask in several lists.`;
  return new DomainError("bad-request", "query-too-long", message, { issues: [{ code: "query_too_long", message }] });
}

export const badCursorIssue: InputIssue = {
  parameter: "cursor",
  code: "bad_cursor",
  message: "cursor does not belong to this list with these filters and this sort. Start again without a cursor.",
};

export function badCursorError(): DomainError {
  return invalidQueryError([badCursorIssue]);
}
