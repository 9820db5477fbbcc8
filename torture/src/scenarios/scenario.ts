import type { Finding } from "../check/finding.ts";
import type { Parameters } from "../parameters.ts";
import type { Snapshot } from "../check/snapshot.ts";

export interface Outcome {
  readonly findings: readonly Finding[];
  /** Lines that are printed, such as durations and counts. */
  readonly figures: readonly string[];
  /** Records and histories of the reports, to print those of violations. Null if the scenario has none. */
  readonly snapshot: Snapshot | null;
  readonly folder: string;
}

export type Scenario = (parameters: Parameters, say: (line: string) => void) => Promise<Outcome>;
