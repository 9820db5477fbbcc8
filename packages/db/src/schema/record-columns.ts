import { sql, type SQL } from "drizzle-orm";
import { bigint, foreignKey, text, timestamp, type AnyPgColumn } from "drizzle-orm/pg-core";

export function timestampColumn(name: string) {
  return timestamp(name, { withTimezone: true, precision: 3 });
}

export function textListColumn(name: string) {
  return text(name)
    .array()
    .notNull()
    .default(sql`'{}'`);
}

/** Declares a foreign key whose rows are deleted together with the row that they refer to. */
export function cascadingKey(name: string, column: AnyPgColumn, target: AnyPgColumn) {
  return foreignKey({ name, columns: [column], foreignColumns: [target] }).onDelete("cascade");
}

export function createVersionColumns() {
  return {
    createdAt: timestampColumn("created_at").notNull().defaultNow(),
    updatedAt: timestampColumn("updated_at").notNull().defaultNow(),
    /** Grows with every change of configuration or observations. A write fails if the revision that it read is no longer current. */
    revision: bigint("revision", { mode: "number" }).notNull().default(1),
    observations: bigint("observations", { mode: "number" }).notNull().default(0),
    configuredAt: timestampColumn("configured_at"),
    deletedAt: timestampColumn("deleted_at"),
  };
}

interface Tombstones {
  readonly deletedAt: AnyPgColumn;
}

export function isUndeleted({ deletedAt }: Tombstones): SQL {
  return sql`${deletedAt} is null`;
}

export function isDeleted({ deletedAt }: Tombstones): SQL {
  return sql`${deletedAt} is not null`;
}
