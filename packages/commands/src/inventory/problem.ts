export interface Problem {
  readonly file: string;
  /** The line of the file on which the record begins, counted from 1. */
  readonly line: number;
  /** The name of the column in the header of the file. */
  readonly column?: string;
  readonly reason: string;
}

export type OnProblem = (problem: Problem) => void;

/** Thrown if no file was loaded because of the reported problems. */
export class InventoryRefusedError extends Error {
  override readonly name = "InventoryRefusedError";
  readonly problems: number;
  constructor(problems: number) {
    super(`${problems} problems were found, and nothing was loaded.`);
    this.problems = problems;
  }
}
