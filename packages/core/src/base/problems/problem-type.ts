/** A kind of problem: its HTTP status, its meaning, and the remedy for the caller. */
export interface ProblemType {
  readonly status: number;
  readonly meaning: string;
  readonly remedy: string;
}

export const retryHint = "Try again after as many seconds as Retry-After says.";
