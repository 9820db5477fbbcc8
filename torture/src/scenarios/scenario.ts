import type { InvariantResult } from "../check/invariant-result.ts";
import type { TortureParameters } from "../torture-parameters.ts";
import type { DatabaseState } from "../check/database-state.ts";

export interface ScenarioOutcome {
  readonly findings: readonly InvariantResult[];
  readonly figures: readonly string[];
  readonly snapshot: DatabaseState | null;
  readonly folder: string;
}

export type Scenario = (parameters: TortureParameters, say: (line: string) => void) => Promise<ScenarioOutcome>;
