import type { Principal } from "@reports/auth";
import { userPrincipalPrefix, type ScheduleStore } from "@reports/core";
import type { Logger } from "@reports/runtime";

const everyMs = 3_600_000;
/** Callers beyond them are noted again before the hour is over, which costs one statement each. */
const maxRemembered = 10_000;

/**
 * Notes that owners of schedules are still there and still hold what they need, by any request of theirs, once an hour each. Users of our
 * own are looked up at each fire instead. A failure delays nobody: a later request notes it.
 */
export function createOwnerConfirmation(deps: {
  readonly schedules: Pick<ScheduleStore, "confirmOwner">;
  readonly logger: Logger;
  readonly now?: () => number;
}): (principal: Principal) => void {
  const { schedules, logger, now = () => performance.now() } = deps;
  const seen = new Map<string, number>();
  return ({ id, kind, authorities }) => {
    if (kind !== "bearer" || id.startsWith(userPrincipalPrefix) || authorities.size === 0) return;
    const key = JSON.stringify([id, [...authorities].sort()]);
    const before = seen.get(key);
    if (before !== undefined && now() - before < everyMs) return;
    if (seen.size >= maxRemembered) seen.clear();
    seen.set(key, now());
    schedules.confirmOwner(id, [...authorities]).catch((error: unknown) => {
      seen.delete(key);
      logger.warn("an owner of schedules could not be confirmed; a later request tries again", { error });
    });
  };
}
