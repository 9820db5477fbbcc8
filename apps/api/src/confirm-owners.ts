import { REPORTS_ADMIN, WEBHOOKS_WRITE, type AuthorityLookup, type Principal } from "@reports/auth";
import { userPrincipalPrefix } from "@reports/core/caller";
import type { ScheduleStore } from "@reports/core/schedule";
import type { WebhookStore } from "@reports/core/webhook";
import type { Logger } from "@reports/runtime";

const confirmationIntervalMs = 3_600_000;
const maxRememberedOwners = 10_000;

/**
 * Returns a function to call with the principal of each request. At most once per hour for the same principal and authorities, it stores that this
 * owner of schedules and webhooks still holds the necessary authorities. It ignores local users, because each run and delivery reads their
 * authorities from the database. It runs in the background. If it fails, it logs a warning, and a later request tries again.
 */
export function createOwnerAuthorityConfirmer(deps: {
  readonly schedules: Pick<ScheduleStore, "confirmOwner">;
  readonly webhooks: Pick<WebhookStore, "confirmOwner"> | null;
  readonly authorities: Pick<AuthorityLookup, "all">;
  readonly logger: Logger;
  readonly now?: () => number;
}): (principal: Principal) => void {
  const { schedules, webhooks, logger, now = () => performance.now() } = deps;
  const relevantAuthorities = [...deps.authorities.all, WEBHOOKS_WRITE, REPORTS_ADMIN];
  const seen = new Map<string, number>();
  return ({ id, kind, authorities }) => {
    if (kind !== "bearer" || id.startsWith(userPrincipalPrefix) || authorities.size === 0) return;
    const key = JSON.stringify([id, [...authorities].sort()]);
    const before = seen.get(key);
    if (before !== undefined && now() - before < confirmationIntervalMs) return;
    if (seen.size >= maxRememberedOwners) seen.clear();
    seen.set(key, now());
    const lacking = relevantAuthorities.filter((authority) => !authorities.has(authority));
    Promise.all([schedules.confirmOwner(id, [...authorities]), webhooks?.confirmOwner(id, lacking)]).catch(
      (error: unknown) => {
        seen.delete(key);
        logger.warn("an owner of schedules or webhooks could not be confirmed; a later request tries again", { error });
      },
    );
  };
}
