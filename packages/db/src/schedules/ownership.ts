import { userPrincipalPrefix } from "@reports/core/caller";
import { sql, type SQL } from "drizzle-orm";
import { interval } from "../database/interval.ts";
import type { StoredSchedule } from "./schedule-row.ts";

const dayMs = 86_400_000;

/**
 * The owner's right to the schedule's reports, as an expression that is `holds`, `lost` or `not-seen`: a local user by current authorities,
 * others by when they were last seen with it.
 */
export function ownershipOf(
  { owner, requiredAuthority, confirmedAt }: Pick<StoredSchedule, "owner" | "requiredAuthority" | "confirmedAt">,
  confirmDays: number,
): SQL {
  if (requiredAuthority === null) return sql`'holds'`;
  if (owner.startsWith(userPrincipalPrefix))
    return sql`case when exists (
        select from users where name = ${owner.slice(userPrincipalPrefix.length)}
          and disabled_at is null and ${requiredAuthority} = any (authorities)
      ) then 'holds' else 'lost' end`;
  return sql`case when ${confirmedAt.toISOString()}::timestamptz > now() - ${interval(confirmDays * dayMs)} then 'holds' else 'not-seen' end`;
}
