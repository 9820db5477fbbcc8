import { findRecordedViolations, type ClockJump, type Ledger } from "../load/ledger.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";

/** Tolerance in ms for the begin and the end of a jump. A process notices a change of the clock earlier or later than the harness notes it. */
const toleranceMs = 10_000;

/** Returns the true time of an event of a report. Postgres wrote `at` by its own clock, which is wrong during a jump. */
export function computeTrueEventTime(
  event: { readonly id: number; readonly at: Date },
  jumps: readonly ClockJump[],
): Date {
  const jump = jumps.find(({ from, to, aheadMs, firstEvent, lastEvent }) => {
    const at = event.at.getTime() - aheadMs;
    return event.id > firstEvent && event.id <= lastEvent && at > from - toleranceMs && at < to + toleranceMs;
  });
  return jump === undefined ? event.at : new Date(event.at.getTime() - jump.aheadMs);
}

/**
 * Reports whether any of the events happened while Postgres's clock was wrong. The content of a report can depend on the time, so its file can then
 * differ from other runs.
 */
export function hasEventDuringClockJump(
  events: readonly { readonly at: Date }[],
  jumps: readonly Pick<ClockJump, "from" | "to">[],
): boolean {
  return jumps.some(({ from, to }) =>
    events.some(({ at }) => at.getTime() > from - toleranceMs && at.getTime() < to + toleranceMs),
  );
}

export function checkClockJumps(ledger: Pick<Ledger, "clockJumps" | "breaches">): readonly InvariantResult[] {
  const { length } = ledger.clockJumps;
  if (length === 0) return [];
  return [
    createInvariantResult(
      "K1",
      "after each jump of Postgres's clock, schedules run within 60 s, and no report waits for a time of the wrong clock",
      `${length} jumps, and as many jumps back`,
      findRecordedViolations(ledger, "K1"),
    ),
  ];
}
