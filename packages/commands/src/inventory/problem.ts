export interface Problem {
  readonly file: string;
  /** From 1; the line where the record begins. */
  readonly line: number;
  /** As the header names it. */
  readonly column?: string;
  readonly reason: string;
}

export type Report = (problem: Problem) => void;

/** The files were not loaded because of the reported problems. */
export class RefusedInventory extends Error {
  override readonly name = "RefusedInventory";
  readonly problems: number;
  constructor(problems: number) {
    super(`${problems} problems were found, and nothing was loaded.`);
    this.problems = problems;
  }
}
