import { REPORTS_ADMIN, WEBHOOKS_WRITE, type Authorities, type Principal } from "@reports/auth";
import { userPrincipalPrefix } from "@reports/core/caller";
import type { ScheduleStore } from "@reports/core/schedule";
import type { WebhookStore } from "@reports/core/webhook";
import type { Logger } from "@reports/runtime";

const everyMs = 3_600_000;
/** Further callers are recorded again within the hour, which costs a few statements each. */
const maxRemembered = 10_000;

/**
 * Records, at most once per hour and from any request, that owners of schedules and webhooks still hold the necessary authorities. Our own
 * users are looked up at each run and delivery instead. A failure delays no request: a later one records the owner.
 */
export function createOwnerConfirmation(deps: {
  readonly schedules: Pick<ScheduleStore, "confirmOwner">;
  readonly webhooks: Pick<WebhookStore, "confirmOwner"> | null;
  readonly authorities: Pick<Authorities, "all">;
  readonly logger: Logger;
  readonly now?: () => number;
}): (principal: Principal) => void {
  const { schedules, webhooks, logger, now = () => performance.now() } = deps;
  const asked = [...deps.authorities.all, WEBHOOKS_WRITE, REPORTS_ADMIN];
  const seen = new Map<string, number>();
  return ({ id, kind, authorities }) => {
    if (kind !== "bearer" || id.startsWith(userPrincipalPrefix) || authorities.size === 0) return;
    const key = JSON.stringify([id, [...authorities].sort()]);
    const before = seen.get(key);
    if (before !== undefined && now() - before < everyMs) return;
    if (seen.size >= maxRemembered) seen.clear();
    seen.set(key, now());
    const lacking = asked.filter((authority) => !authorities.has(authority));
    Promise.all([schedules.confirmOwner(id, [...authorities]), webhooks?.confirmOwner(id, lacking)]).catch(
      (error: unknown) => {
        seen.delete(key);
        logger.warn("an owner of schedules or webhooks could not be confirmed; a later request tries again", { error });
      },
    );
  };
}
