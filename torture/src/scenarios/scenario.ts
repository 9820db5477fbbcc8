import type { Finding } from "../check/finding.ts";
import type { Parameters } from "../parameters.ts";
import type { Snapshot } from "../check/snapshot.ts";

export interface Outcome {
  readonly findings: readonly Finding[];
  /** Lines for a person, without an invariant. */
  readonly figures: readonly string[];
  /** Holds the histories of reports that violate something. */
  readonly snapshot: Snapshot | null;
  readonly folder: string;
}

export type Scenario = (parameters: Parameters, say: (line: string) => void) => Promise<Outcome>;
