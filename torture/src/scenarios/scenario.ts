import type { Finding } from "../check/finding.ts";
import type { Parameters } from "../parameters.ts";
import type { Snapshot } from "../check/snapshot.ts";

/** What a scenario gives back: what held, and what it saw. */
export interface Outcome {
  readonly findings: readonly Finding[];
  /** Lines for a person: figures that no invariant asks for. */
  readonly figures: readonly string[];
  /** For the histories of what did not hold. */
  readonly snapshot: Snapshot | null;
  /** Where the logs of the processes are. */
  readonly folder: string;
}

/** One scenario. `say` prints progress. */
export type Scenario = (parameters: Parameters, say: (line: string) => void) => Promise<Outcome>;
