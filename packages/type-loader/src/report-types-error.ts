/** One thing that keeps the report types of a deployment from being used: the setting that is to be changed, and what is wrong. */
export interface ReportTypesProblem {
  readonly variable: string;
  readonly message: string;
}

/** Everything that is wrong with the report types of a deployment, at once. */
export class ReportTypesError extends Error {
  override readonly name = "ReportTypesError";
  readonly problems: readonly ReportTypesProblem[];

  constructor(problems: readonly ReportTypesProblem[]) {
    super(`The report types cannot be used:\n${problems.map(({ message }) => `  - ${message}`).join("\n")}`);
    this.problems = problems;
  }
}
