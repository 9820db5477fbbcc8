import type { ClockJump } from "../load/ledger.ts";
import type { ReceivedWebhookRequest } from "../stand/webhook-receivers.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";

const limitMs = 60_000;
/** For this long after a jump, signatures by the wrong clock are accepted too, because a worker may have read the clock earlier. */
const followsWithinMs = 60_000;

/**
 * Checks invariant I15: a signature has the true time by the harness's clock. Workers sign with Postgres's time, so a signature may be wrong during a
 * jump of that clock.
 */
export function checkSignatureTimes(
  received: readonly Pick<ReceivedWebhookRequest, "by" | "at" | "signedAt">[],
  jumps: readonly Pick<ClockJump, "from" | "to" | "aheadMs">[],
): InvariantResult {
  const aheadAt = (at: number): readonly number[] => [
    0,
    ...jumps.filter(({ from, to }) => at >= from && at <= to + followsWithinMs).map(({ aheadMs }) => aheadMs),
  ];
  const errors = received.map(({ by, at, signedAt }) => {
    const all = aheadAt(at).map((aheadMs) => signedAt - at - aheadMs);
    return { by, at, ms: all.reduce((least, ms) => (Math.abs(ms) < Math.abs(least) ? ms : least), all[0]!) };
  });
  const worst = errors.reduce((most, { ms }) => Math.max(most, Math.abs(ms)), 0);
  return createInvariantResult(
    "I15",
    "every request to a receiver was signed within 60 s of the true time, or of Postgres's clock while that is wrong",
    `${received.length} requests, ${(worst / 1_000).toFixed(1)} s off at most`,
    errors
      .filter(({ ms }) => !(Math.abs(ms) <= limitMs))
      .map(({ by, at, ms }) => {
        const off = Number.isNaN(ms)
          ? "without a time"
          : `${Math.round(Math.abs(ms) / 1_000)} s too ${ms < 0 ? "early" : "late"}`;
        return [null, `the request to ${by} at ${new Date(at).toISOString()} was signed ${off}`] as const;
      }),
  );
}
