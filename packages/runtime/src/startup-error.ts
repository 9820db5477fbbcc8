/**
 * The process cannot start (or go on) because of its surroundings, not because of a bug.
 * `message` says what is wrong and what to do; it is printed without a stack.
 */
export class StartupError extends Error {
  override readonly name: string = "StartupError";
}

/** Exit status of a process whose configuration is wrong (EX_CONFIG of sysexits): restarting it cannot help. */
export const configurationExitCode = 78;

/** One thing that is wrong with the environment. */
export interface ConfigurationProblem {
  /** The variable, or the variables of a rule, joined by ", ". */
  readonly variable: string;
  /** What is wrong and what is allowed; never the value of a secret. */
  readonly message: string;
}

/** Every problem of the environment at once; its message is the list, ready to be printed. */
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
