/** One thing that keeps the report types of a deployment from being used: the setting that is to be changed, and what is wrong. */
export interface ReportTypesProblem {
  readonly variable: string;
  readonly message: string;
}

/** Everything that is wrong with the report types of a deployment, at once. */
export class ReportTypesError extends Error {
  override readonly name = "ReportTypesError";
  readonly problems: readonly ReportTypesProblem[];

  /** Whether the system failed rather than a package, so that the same packages may load later. */
  readonly isOfHost: boolean;

  constructor(problems: readonly ReportTypesProblem[], isOfHost = false) {
    super(`The report types cannot be used:\n${problems.map(({ message }) => `  - ${message}`).join("\n")}`);
    this.problems = problems;
    this.isOfHost = isOfHost;
  }
}
