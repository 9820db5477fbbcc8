import { computeOutageMs, type Ledger } from "../load/ledger.ts";
import { findOrphanedRendererPids } from "../stand/renderers.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";
import type { DatabaseState } from "./database-state.ts";

const limitMs = 90_000;
/** Goal for the recovery of a report in ms. Longer recoveries are only counted. Above `limitMs`, they are violations. */
const targetMs = 60_000;

/** Returns the ms from the loss of a worker to the next attempt of each report that it held. Subtracts outages of Postgres and the store. */
export function computeRecoveryTimesMs(
  ledger: Pick<Ledger, "losses" | "outages">,
  { events }: Pick<DatabaseState, "events">,
): { id: string; ms: number }[] {
  return ledger.losses.flatMap(({ at, held }) =>
    held.flatMap(({ id, attempt }) => {
      const next = events.get(id)?.find((event) => event.to === "RUNNING" && event.attempt === attempt + 1);
      // A report without a next attempt ended before the loss, failed because of it, or was deleted. Another invariant checks that every report ends.
      return next === undefined
        ? []
        : [{ id, ms: next.at.getTime() - at - computeOutageMs(ledger, at, next.at.getTime()) }];
    }),
  );
}

export function quantile(numbers: readonly number[], share: number): number | null {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? null;
}

export function checkRecoveryTimes(
  ledger: Pick<Ledger, "losses" | "outages">,
  snapshot: Pick<DatabaseState, "events">,
): InvariantResult {
  const times = computeRecoveryTimesMs(ledger, snapshot);
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) =>
    quantile(
      times.map(({ ms }) => ms),
      share,
    ),
  );
  const inSeconds = (ms: number | null | undefined): string =>
    ms === null || ms === undefined ? "–" : `${(ms / 1000).toFixed(1)} s`;
  return createInvariantResult(
    "R1",
    "the next attempt of each report of a lost worker begins within 90 s",
    `${ledger.losses.length} losses of workers, ${times.length} attempts recovered: p50 ${inSeconds(p50)}, p99 ${inSeconds(p99)}, max ${inSeconds(max)}, ${times.filter(({ ms }) => ms > targetMs).length} after more than ${inSeconds(targetMs)}`,
    times.filter(({ ms }) => ms > limitMs).map(({ id, ms }) => [id, `was recovered only after ${inSeconds(ms)}`]),
  );
}

/** Checks invariant R2: a renderer ends with its worker, even during an endless loop. Kills the renderers that still run. */
export function checkOrphanedRenderers({ orphanedRenderers }: Pick<Ledger, "orphanedRenderers">): InvariantResult {
  const alive = findOrphanedRendererPids(orphanedRenderers);
  for (const pid of alive) process.kill(pid, "SIGKILL");
  return createInvariantResult(
    "R2",
    "no renderer outlives a worker that was killed",
    `${orphanedRenderers.length} renderers of killed workers`,
    alive.map((pid) => [null, `renderer ${pid} still ran`]),
  );
}
