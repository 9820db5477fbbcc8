/** A problem, and the environment variable that has to change. */
export interface ReportTypesProblem {
  readonly variable: string;
  readonly message: string;
}

export class ReportTypesError extends Error {
  override readonly name = "ReportTypesError";
  readonly problems: readonly ReportTypesProblem[];

  /** If true, the machine failed and not a package, so the same packages may load later. */
  readonly isHostFailure: boolean;

  constructor(problems: readonly ReportTypesProblem[], isHostFailure = false) {
    super(`The report types cannot be used:\n${problems.map(({ message }) => `  - ${message}`).join("\n")}`);
    this.problems = problems;
    this.isHostFailure = isHostFailure;
  }
}
