import { answeredFields, type CollectionDefinition, type RecordVersion, type Stored } from "@reports/core/record";
import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn, PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Relation } from "../relations/relation.ts";
import { fieldColumns } from "../relations/table-relation.ts";

/** A table of records: its columns are called as the record's fields, and these are beside them. */
export type CollectionTable = PgTable & {
  readonly id: AnyPgColumn;
  readonly revision: AnyPgColumn;
  readonly observations: AnyPgColumn;
  readonly configuredAt: AnyPgColumn;
  readonly updatedAt: AnyPgColumn;
  readonly deletedAt: AnyPgColumn;
};

/** A table with a column of the right type for each field of a record. */
export type TableOf<Rec> = CollectionTable & { readonly $inferSelect: Rec };

/** A unique index among undeleted records, and the issue that reports its violation. */
export interface UniqueRule {
  /** The name of the index. */
  readonly constraint: string;
  readonly fields: readonly string[];
  /** JSON pointers of the fields that a caller can change. */
  readonly pointers: readonly string[];
  readonly message: string;
}

/** How a collection lies in tables. */
export interface TableMapping {
  readonly table: CollectionTable;
  readonly relation: Relation;
  readonly parent?: {
    readonly table: CollectionTable;
    readonly singular: string;
    readonly field: string;
    readonly column: AnyPgColumn;
  };
  /** Records that are deleted together with theirs. */
  readonly children?: readonly { readonly table: CollectionTable; readonly column: AnyPgColumn }[];
  readonly unique: readonly UniqueRule[];
}

/** What is read of a record: the fields that callers see, those that they write, and what every record has beside them. */
export interface RecordColumns<Rec> {
  /** Columns by field. */
  readonly fields: Readonly<Record<string, PgColumn>>;
  readonly selected: Readonly<Record<string, PgColumn>>;
  /** The record of a row of what is selected. */
  toStored(row: Readonly<Record<string, unknown>>): Stored<Rec>;
}

/**
 * The columns of a collection's fields: columns that the table has beside them are not read, so that nobody is shown them. Throws an Error
 * when the table lacks one.
 */
export function recordColumns<Rec>(
  definition: Pick<CollectionDefinition<never>, "schema"> & {
    readonly rules: { readonly fields: readonly string[] } | null;
  },
  table: CollectionTable,
): RecordColumns<Rec> {
  // What callers may write and not see has to be known to a patch, which writes the whole record.
  const names = [...new Set([...answeredFields(definition), ...(definition.rules?.fields ?? [])])];
  const fields = fieldColumns(table, names);
  return {
    fields,
    selected: { ...fields, ...fieldColumns(table, besideFields) },
    toStored: (row) => ({
      record: Object.fromEntries(names.map((field) => [field, row[field]])) as Rec,
      version: versionOf(row["revision"] as number, row["observations"] as number),
      configuredAt: (row["configuredAt"] ?? row["updatedAt"]) as Date,
      deletedAt: row["deletedAt"] as Date | null,
    }),
  };
}

/** Columns as a SELECT names them, each called after its field. */
export function outputsOf(columns: Readonly<Record<string, PgColumn>>): SQL {
  return sql.join(
    // oxlint-disable-next-line no-restricted-properties -- fields of the collection's definition, never input
    Object.entries(columns).map(([field, column]) => sql`${column} as ${sql.identifier(field)}`),
    sql`, `,
  );
}

/** Columns that every table of records has, whatever its fields. */
const besideFields = ["revision", "observations", "configuredAt", "updatedAt", "deletedAt"] as const;

/**
 * The number that writers compare: it grows with either part. A process of the version before, which knows this number alone, adds one
 * to it, and that counts as a change of the configuration.
 */
export function revisionOf({ configuration, observations }: RecordVersion): number {
  return configuration + observations;
}

function versionOf(revision: number, observations: number): RecordVersion {
  return { configuration: revision - observations, observations };
}
