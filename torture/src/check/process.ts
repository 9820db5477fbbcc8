import type { StandProcess } from "@reports/testing";
import { formatMebibytes, type ProcessUsage } from "../stand/process-usage.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";

const descriptorTolerance = 5;
const memoryFactor = 2;

export function checkProcessKeepsRunning({ name, pids, unexpectedEnds }: StandProcess): InvariantResult {
  return createInvariantResult(
    "M1",
    "the API's process keeps running",
    `${pids.length} process`,
    unexpectedEnds.map((how) => [null, `${name} ended: ${how}`]),
  );
}

export function checkProcessUsage(
  api: StandProcess,
  { warm, peakBytes, end }: { readonly warm: ProcessUsage; readonly peakBytes: number; readonly end: ProcessUsage },
): InvariantResult[] {
  return [
    checkProcessKeepsRunning(api),
    createInvariantResult(
      "M2",
      `its file descriptors do not grow by more than ${descriptorTolerance}`,
      `${warm.descriptors} when it was warm, ${end.descriptors} at the end`,
      end.descriptors > warm.descriptors + descriptorTolerance ? [[null, "they grew"]] : [],
    ),
    createInvariantResult(
      "M3",
      `its memory stays below ${memoryFactor} times that of the warm process`,
      `${formatMebibytes(warm.residentBytes)} when it was warm, ${formatMebibytes(peakBytes)} at most, ${formatMebibytes(end.residentBytes)} at the end`,
      peakBytes > memoryFactor * warm.residentBytes ? [[null, "it grew"]] : [],
    ),
  ];
}
