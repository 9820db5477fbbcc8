/**
 * The rows are not in the wire form. The report ends as INVALID_DATA; the message is shown to its requester.
 * It stands apart from the errors of core so that threads, which throw it too, need not load core.
 */
export class BrokenRowsError extends Error {
  override readonly name = "BrokenRowsError";
}

/** A row that has too few or too many fields. */
export function wrongWidth(found: number, expected: number): BrokenRowsError {
  return new BrokenRowsError(
    `A row has ${found} values where the report has ${expected} columns. The source of this report type is broken; its owner must fix it.`,
  );
}
