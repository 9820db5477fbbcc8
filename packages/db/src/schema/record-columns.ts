import { sql, type SQL } from "drizzle-orm";
import { bigint, timestamp, type AnyPgColumn } from "drizzle-orm/pg-core";

export function timeColumn(name: string) {
  return timestamp(name, { withTimezone: true, precision: 3 });
}

export function versionColumns() {
  return {
    createdAt: timeColumn("created_at").notNull().defaultNow(),
    updatedAt: timeColumn("updated_at").notNull().defaultNow(),
    /** Grows with every change of the configuration and of observations. A write names the revision that it read and fails if it has changed. */
    revision: bigint("revision", { mode: "number" }).notNull().default(1),
    /** How many of these changes were observations. */
    observations: bigint("observations", { mode: "number" }).notNull().default(0),
    /** Time of the last change of the configuration; null if it equals `updatedAt`. */
    configuredAt: timeColumn("configured_at"),
    deletedAt: timeColumn("deleted_at"),
  };
}

interface Tombstones {
  readonly deletedAt: AnyPgColumn;
}

/** Returns the condition of an index over records that are not deleted. */
export function isUndeleted({ deletedAt }: Tombstones): SQL {
  return sql`${deletedAt} is null`;
}

/** Returns the condition of an index over tombstones, with which retention finds old ones. */
export function isDeleted({ deletedAt }: Tombstones): SQL {
  return sql`${deletedAt} is not null`;
}
