/** Not a bug: the environment keeps the process from working. `message` says what to do; printed without a stack. */
export class StartupError extends Error {
  override readonly name: string = "StartupError";
}

/** Exit code of a wrong configuration (EX_CONFIG of sysexits): a restart cannot help. */
export const configurationExitCode = 78;

export interface ConfigurationProblem {
  /** The variable, or a rule's variables, joined by ", ". */
  readonly variable: string;
  /** The problem and the allowed values; never a secret's value. */
  readonly message: string;
}

/** Lists every problem; the message is printable. */
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
