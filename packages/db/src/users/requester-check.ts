import { userPrincipalPrefix, type RequesterCheck } from "@reports/core";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";

const answer = z.array(z.object({ allowed: z.boolean() }));

const selectAllowed = prepareStatement(
  "select_allowed",
  sql`
    select r.required_authority is null
      or not starts_with(r.requested_by, ${userPrincipalPrefix})
      or exists (
        select from users u
        where u.name = substr(r.requested_by, ${userPrincipalPrefix.length + 1}::integer)
          and u.disabled_at is null and r.required_authority = any (u.authorities)
      ) as allowed
    from reports r where r.id = ${sql.placeholder("reportId")}`,
);

/** Asks the users' table whether a report's requester still holds what the report needs. Requesters that are not users in this table were checked at the start. */
export function createRequesterCheck(database: Database): RequesterCheck {
  return async (reportId) =>
    database.query(async (queries) => {
      const rows = await selectAllowed(queries, { reportId });
      return answer.parse(rows)[0]?.allowed ?? false;
    });
}
