import { userPrincipalPrefix } from "@reports/core/caller";
import { sql, type SQL } from "drizzle-orm";
import { intervalSql } from "../database/interval-sql.ts";
import type { StoredSchedule } from "./schedule-row.ts";

const dayMs = 86_400_000;

/**
 * SQL for whether the owner may start the reports. For a local user, the database holds the authorities. For others, what counts is when a request
 * last showed the authority.
 */
export function ownerAuthoritySql(
  { owner, requiredAuthority, confirmedAt }: Pick<StoredSchedule, "owner" | "requiredAuthority" | "confirmedAt">,
  confirmDays: number,
): SQL {
  if (requiredAuthority === null) return sql`'holds'`;
  if (owner.startsWith(userPrincipalPrefix))
    return sql`case when exists (
        select from users where name = ${owner.slice(userPrincipalPrefix.length)}
          and disabled_at is null and ${requiredAuthority} = any (authorities)
      ) then 'holds' else 'lost' end`;
  return sql`case when ${confirmedAt.toISOString()}::timestamptz > now() - ${intervalSql(confirmDays * dayMs)} then 'holds' else 'not-seen' end`;
}
