/** The meaning of a type of problem, and what to do about it. */
export interface ProblemType {
  readonly status: number;
  readonly meaning: string;
  readonly remedy: string;
}

/** What to do about a problem that passes. */
export const tryAgain = "Try again after as many seconds as Retry-After says.";
