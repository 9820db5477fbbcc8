import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";

/** Returns a check that the column holds one of these constants, or null. The constants are part of the text, because DDL takes no parameters. */
export function oneOfCheckSql(column: AnyPgColumn, values: readonly string[]): SQL {
  if (values.some((value) => !/^[A-Za-z0-9._-]+$/.test(value))) {
    throw new Error(`Constants of a check constraint must be plain words, and these are not: ${values.join(", ")}.`);
  }
  // oxlint-disable-next-line no-restricted-properties -- checked constants, never input
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(", "))})`;
}
