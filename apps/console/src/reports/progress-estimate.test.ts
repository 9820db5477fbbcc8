import { expect, test } from "vitest";
import { estimateProgress, type ProgressSample } from "./progress-estimate.ts";

const first: ProgressSample = { at: 10_000, phase: "rendering", rowsDone: 1_000, percent: 10 };

test.each<readonly [string, Partial<ProgressSample>, object]>([
  ["after two seconds", { at: 12_000, rowsDone: 5_000, percent: 50 }, { rowsPerSecond: 2_000, msLeft: 2_500 }],
  ["without a percentage", { at: 12_000, rowsDone: 5_000, percent: null }, { rowsPerSecond: 2_000, msLeft: null }],
  ["without further rows", { at: 12_000 }, { rowsPerSecond: null, msLeft: null }],
  ["within the first second", { at: 10_500, rowsDone: 5_000, percent: 50 }, { rowsPerSecond: null, msLeft: null }],
  ["in another phase", { at: 12_000, phase: "storing", rowsDone: 5_000 }, { rowsPerSecond: null, msLeft: null }],
  ["in a new attempt", { at: 12_000, rowsDone: 10, percent: 1 }, { rowsPerSecond: null, msLeft: null }],
])("estimateProgress returns rows per second and ms left for a report %s", (_, change, estimate) => {
  expect(estimateProgress(first, { ...first, ...change })).toEqual(estimate);
});
