import type { Finding } from "../check/finding.ts";
import type { Parameters } from "../parameters.ts";
import type { Snapshot } from "../check/snapshot.ts";

export interface Outcome {
  readonly findings: readonly Finding[];
  /** Lines to print, such as durations and counts. */
  readonly figures: readonly string[];
  /** Records and histories of the reports. Those that violate an invariant are printed. Null if the scenario has none. */
  readonly snapshot: Snapshot | null;
  readonly folder: string;
}

export type Scenario = (parameters: Parameters, say: (line: string) => void) => Promise<Outcome>;
