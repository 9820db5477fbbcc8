import { sql, type SQL } from "drizzle-orm";
import { bigint, timestamp, type AnyPgColumn } from "drizzle-orm/pg-core";

export function time(name: string) {
  return timestamp(name, { withTimezone: true, precision: 3 });
}

/** Columns by which collections version their records. */
export function versionColumns() {
  return {
    createdAt: time("created_at").notNull().defaultNow(),
    updatedAt: time("updated_at").notNull().defaultNow(),
    /** Grows with every change of configuration and observations; writers compare it. */
    revision: bigint("revision", { mode: "number" }).notNull().default(1),
    /** How many of those were observations. */
    observations: bigint("observations", { mode: "number" }).notNull().default(0),
    /** The last change of the configuration; null if it equals the record's. */
    configuredAt: time("configured_at"),
    deletedAt: time("deleted_at"),
  };
}

interface Tombstones {
  readonly deletedAt: AnyPgColumn;
}

/** The condition of an index over records, without tombstones. */
export function undeleted({ deletedAt }: Tombstones): SQL {
  return sql`${deletedAt} is null`;
}

/** The condition of an index over tombstones, by which retention finds old ones. */
export function deleted({ deletedAt }: Tombstones): SQL {
  return sql`${deletedAt} is not null`;
}
