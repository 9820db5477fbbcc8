import type { Database } from "../database/database.ts";
import type { databaseRoles } from "./roles.ts";
import { findMissingRights } from "./role-rights.ts";

export async function assertRoleRights(
  database: Pick<Database, "query">,
  of: { readonly role: keyof typeof databaseRoles; readonly queueSchema: string },
): Promise<void> {
  const missing = await database.query((queries) => findMissingRights(queries, of));
  if (missing.length === 0) return;
  throw new Error(
    `The user of DATABASE_URL lacks ${missing.join(", ")}. As the owner of the tables, run \`database-roles\` (in a checkout \`pnpm operate database-roles\`) after every migration: docs/reference/database-roles.md.`,
  );
}
