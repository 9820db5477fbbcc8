/** An error of the environment, not a bug. `message` says what to do, and is printed without a stack. */
export class StartupError extends Error {
  override readonly name: string = "StartupError";
}

/** Exit code of a process with a wrong configuration, which a restart can't fix (EX_CONFIG in sysexits.h). */
export const configurationExitCode = 78;

export interface ConfigurationProblem {
  /** Name of the environment variable. If the problem is about several variables, their names joined by ", ". */
  readonly variable: string;
  /** Says what is wrong and which values are allowed. Never contains the value of a secret. */
  readonly message: string;
}

export class ConfigurationError extends StartupError {
  override readonly name: string = "ConfigurationError";
  readonly problems: readonly ConfigurationProblem[];

  constructor(problems: readonly ConfigurationProblem[]) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    const lines = problems.map((problem) => `  - ${problem.variable}: ${problem.message}`);
    super(`The configuration has ${count}:\n${lines.join("\n")}`);
    this.problems = problems;
  }
}
