/**
 * Thrown for rows that do not have the wire form, for example with too few values. The report then fails with INVALID_DATA. This class is separate
 * from core's errors, so that threads need not load core.
 */
export class BrokenRowsError extends Error {
  override readonly name = "BrokenRowsError";
}

export function createFieldCountError(found: number, expected: number): BrokenRowsError {
  return new BrokenRowsError(
    `A row has ${found} values where the report has ${expected} columns. The source of this report type is broken; its owner must fix it.`,
  );
}
