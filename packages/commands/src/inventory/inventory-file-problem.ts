export interface InventoryFileProblem {
  readonly file: string;
  /** The line of the file on which the record begins, counted from 1. */
  readonly line: number;
  readonly column?: string;
  readonly reason: string;
}

/** Reports a problem of the file that is being read. */
export type ReportRowProblem = (problem: Omit<InventoryFileProblem, "file">) => void;

export class InventoryRefusedError extends Error {
  override readonly name = "InventoryRefusedError";
  readonly problems: number;
  constructor(problems: number) {
    super(`${problems} problems were found, and nothing was loaded.`);
    this.problems = problems;
  }
}
