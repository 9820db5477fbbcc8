export interface ReportTypesProblem {
  readonly variable: string;
  readonly message: string;
}

export class ReportTypesError extends Error {
  override readonly name = "ReportTypesError";
  readonly problems: readonly ReportTypesProblem[];

  /** If true, the host failed (such as its memory or a shared folder), and not a package. The same packages may load later. */
  readonly isHostFailure: boolean;

  constructor(problems: readonly ReportTypesProblem[], isHostFailure = false) {
    super(`The report types cannot be used:\n${problems.map(({ message }) => `  - ${message}`).join("\n")}`);
    this.problems = problems;
    this.isHostFailure = isHostFailure;
  }
}
