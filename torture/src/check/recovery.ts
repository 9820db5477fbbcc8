import { outageBetween, type Ledger } from "../load/ledger.ts";
import { findOrphanedRenderers } from "../stand/renderers.ts";
import { finding, type Finding } from "./finding.ts";
import type { Snapshot } from "./snapshot.ts";

const limitMs = 90_000;
/** For 99 of 100, if nothing else breaks meanwhile. */
const targetMs = 60_000;

/** Times from the loss of a worker to the next attempt of what it held, without long outages of Postgres or the store. */
export function recoveryTimes(
  ledger: Pick<Ledger, "losses" | "outages">,
  { events }: Pick<Snapshot, "events">,
): { id: string; ms: number }[] {
  return ledger.losses.flatMap(({ at, held }) =>
    held.flatMap(({ id, attempt }) => {
      const next = events.get(id)?.find((event) => event.to === "RUNNING" && event.attempt === attempt + 1);
      // Without a next attempt it was finished, cancelled or deleted in that moment. Another invariant checks that it ended.
      return next === undefined
        ? []
        : [{ id, ms: next.at.getTime() - at - outageBetween(ledger, at, next.at.getTime()) }];
    }),
  );
}

/** Returns null without numbers. */
export function quantile(numbers: readonly number[], share: number): number | null {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? null;
}

export function checkRecovery(ledger: Pick<Ledger, "losses" | "outages">, snapshot: Pick<Snapshot, "events">): Finding {
  const times = recoveryTimes(ledger, snapshot);
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) =>
    quantile(
      times.map(({ ms }) => ms),
      share,
    ),
  );
  const inSeconds = (ms: number | null | undefined): string =>
    ms === null || ms === undefined ? "–" : `${(ms / 1000).toFixed(1)} s`;
  return finding(
    "R1",
    "from the loss of a worker to the next attempt of what it held pass less than 90 s",
    `${ledger.losses.length} losses of workers, ${times.length} attempts taken over: p50 ${inSeconds(p50)}, p99 ${inSeconds(p99)}, max ${inSeconds(max)}, ${times.filter(({ ms }) => ms > targetMs).length} after more than ${inSeconds(targetMs)}`,
    times.filter(({ ms }) => ms > limitMs).map(({ id, ms }) => [id, `was taken up again only after ${inSeconds(ms)}`]),
  );
}

/** A renderer dies with its worker, even in an endless loop; one that does not is ended here. */
export function checkRenderers({ orphaned }: Pick<Ledger, "orphaned">): Finding {
  const alive = findOrphanedRenderers(orphaned);
  for (const pid of alive) process.kill(pid, "SIGKILL");
  return finding(
    "R2",
    "no renderer outlives a worker that was killed",
    `${orphaned.length} renderers of killed workers`,
    alive.map((pid) => [null, `renderer ${pid} still ran`]),
  );
}
