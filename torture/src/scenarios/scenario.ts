import type { Finding } from "../check/finding.ts";
import type { Parameters } from "../parameters.ts";
import type { Snapshot } from "../check/snapshot.ts";

export interface Outcome {
  readonly findings: readonly Finding[];
  readonly figures: readonly string[];
  readonly snapshot: Snapshot | null;
  readonly folder: string;
}

export type Scenario = (parameters: Parameters, say: (line: string) => void) => Promise<Outcome>;
