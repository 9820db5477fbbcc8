import { answeredFields, type CollectionDefinition, type RecordVersion, type Stored } from "@reports/core/record";
import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn, PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Relation } from "../relations/relation.ts";
import { fieldColumns } from "../relations/table-relation.ts";

/** A table of records. Its columns are named like the record's fields, plus these. */
export type CollectionTable = PgTable & {
  readonly id: AnyPgColumn;
  readonly revision: AnyPgColumn;
  readonly observations: AnyPgColumn;
  readonly configuredAt: AnyPgColumn;
  readonly updatedAt: AnyPgColumn;
  readonly deletedAt: AnyPgColumn;
};

export type TableOf<Rec> = CollectionTable & { readonly $inferSelect: Rec };

/** A unique index over undeleted records, with the issue of its violation. */
export interface UniqueRule {
  readonly constraint: string;
  readonly fields: readonly string[];
  /** JSON pointers of the fields that a caller can change. */
  readonly pointers: readonly string[];
  readonly message: string;
}

export interface TableMapping {
  readonly table: CollectionTable;
  readonly relation: Relation;
  readonly parent?: {
    readonly table: CollectionTable;
    readonly singular: string;
    readonly field: string;
    readonly column: AnyPgColumn;
  };
  /** Records that are deleted with theirs. */
  readonly children?: readonly { readonly table: CollectionTable; readonly column: AnyPgColumn }[];
  readonly unique: readonly UniqueRule[];
}

/** The read columns: fields that callers see or write, and those of every record. */
export interface RecordColumns<Rec> {
  readonly fields: Readonly<Record<string, PgColumn>>;
  readonly selected: Readonly<Record<string, PgColumn>>;
  toStored(row: Readonly<Record<string, unknown>>): Stored<Rec>;
}

/** Returns the columns of a collection's fields. Other columns are never read, and so never shown. Throws an Error if one is missing. */
export function recordColumns<Rec>(
  definition: Pick<CollectionDefinition<never>, "schema"> & {
    readonly rules: { readonly fields: readonly string[] } | null;
  },
  table: CollectionTable,
): RecordColumns<Rec> {
  // A patch writes the whole record, so it reads fields that callers write and do not see.
  const names = [...new Set([...answeredFields(definition), ...(definition.rules?.fields ?? [])])];
  const fields = fieldColumns(table, names);
  return {
    fields,
    selected: { ...fields, ...fieldColumns(table, versionFields) },
    toStored: (row) => ({
      record: Object.fromEntries(names.map((field) => [field, row[field]])) as Rec,
      version: versionOf(row["revision"] as number, row["observations"] as number),
      configuredAt: (row["configuredAt"] ?? row["updatedAt"]) as Date,
      deletedAt: row["deletedAt"] as Date | null,
    }),
  };
}

export function outputsOf(columns: Readonly<Record<string, PgColumn>>): SQL {
  return sql.join(
    // oxlint-disable-next-line no-restricted-properties -- fields of the collection's definition, never input
    Object.entries(columns).map(([field, column]) => sql`${column} as ${sql.identifier(field)}`),
    sql`, `,
  );
}

const versionFields = ["revision", "observations", "configuredAt", "updatedAt", "deletedAt"] as const;

/** Grows with either part. Processes of the previous version add one to it, as a change of the configuration. */
export function revisionOf({ configuration, observations }: RecordVersion): number {
  return configuration + observations;
}

function versionOf(revision: number, observations: number): RecordVersion {
  return { configuration: revision - observations, observations };
}
