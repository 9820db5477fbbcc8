/** One thing that is wrong with a file. */
export interface Problem {
  readonly file: string;
  /** From 1; the line on which the record begins. */
  readonly line: number;
  /** The header's name of the column. */
  readonly column?: string;
  readonly reason: string;
}

/** Takes problems as they are found. */
export type Report = (problem: Problem) => void;

/** The files were not loaded because of the problems that were reported. */
export class RefusedInventory extends Error {
  override readonly name = "RefusedInventory";
  readonly problems: number;
  constructor(problems: number) {
    super(`${problems} problems were found, and nothing was loaded.`);
    this.problems = problems;
  }
}
