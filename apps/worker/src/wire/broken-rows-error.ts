/** Wrong wire form: the report ends as INVALID_DATA. Separate from core's errors, which threads need not load. */
export class BrokenRowsError extends Error {
  override readonly name = "BrokenRowsError";
}

export function wrongWidth(found: number, expected: number): BrokenRowsError {
  return new BrokenRowsError(
    `A row has ${found} values where the report has ${expected} columns. The source of this report type is broken; its owner must fix it.`,
  );
}
