import {
  listResponseFieldNames,
  type CollectionDefinition,
  type RecordVersion,
  type StoredRecord,
} from "@reports/core/record";
import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn, PgColumn, PgTable } from "drizzle-orm/pg-core";
import { joinByComma, type Relation } from "../relations/relation.ts";
import { selectFieldColumns } from "../relations/table-relation.ts";

export type CollectionTable = PgTable & {
  readonly id: AnyPgColumn;
  readonly revision: AnyPgColumn;
  readonly observations: AnyPgColumn;
  readonly configuredAt: AnyPgColumn;
  readonly updatedAt: AnyPgColumn;
  readonly deletedAt: AnyPgColumn;
};

export type CollectionTableOf<Rec> = CollectionTable & { readonly $inferSelect: Rec };

export interface UniqueConstraintRule {
  readonly constraint: string;
  readonly fields: readonly string[];
  readonly pointers: readonly string[];
  readonly message: string;
}

export interface CollectionTableMapping {
  readonly table: CollectionTable;
  readonly relation: Relation;
  readonly parent?: {
    readonly table: CollectionTable;
    readonly singular: string;
    readonly field: string;
    readonly column: AnyPgColumn;
  };
  /** Tables whose records are deleted together with the parent. `column` is the foreign key to the parent. */
  readonly children?: readonly { readonly table: CollectionTable; readonly column: AnyPgColumn }[];
  readonly unique: readonly UniqueConstraintRule[];
}

export interface RecordColumnMapping<Rec> {
  readonly fields: Readonly<Record<string, PgColumn>>;
  readonly selected: Readonly<Record<string, PgColumn>>;
  toStored(row: Readonly<Record<string, unknown>>): StoredRecord<Rec>;
}

/** Returns the columns of a collection's fields, so that callers never see other columns. Throws an Error if a column is missing. */
export function mapRecordColumns<Rec>(
  definition: Pick<CollectionDefinition<never>, "schema"> & {
    readonly rules: { readonly fields: readonly string[] } | null;
  },
  table: CollectionTable,
): RecordColumnMapping<Rec> {
  // A PATCH writes the whole record. So the columns include fields that callers write but responses never contain.
  const names = [...new Set([...listResponseFieldNames(definition), ...(definition.rules?.fields ?? [])])];
  const fields = selectFieldColumns(table, names);
  return {
    fields,
    selected: { ...fields, ...selectFieldColumns(table, versionFields) },
    toStored: (row) => ({
      record: Object.fromEntries(names.map((field) => [field, row[field]])) as Rec,
      version: versionOf(row["revision"] as number, row["observations"] as number),
      configuredAt: (row["configuredAt"] ?? row["updatedAt"]) as Date,
      deletedAt: row["deletedAt"] as Date | null,
    }),
  };
}

export function selectListOf(columns: Readonly<Record<string, PgColumn>>): SQL {
  return joinByComma(
    // oxlint-disable-next-line no-restricted-properties -- fields of the collection's definition, never input
    Object.entries(columns).map(([field, column]) => sql`${column} as ${sql.identifier(field)}`),
  );
}

const versionFields = ["revision", "observations", "configuredAt", "updatedAt", "deletedAt"] as const;

/**
 * Returns the revision as it is stored: the sum of both counters. APIs of an older release increment only this sum, which counts as a change of the
 * configuration.
 */
export function revisionOf({ configuration, observations }: RecordVersion): number {
  return configuration + observations;
}

function versionOf(revision: number, observations: number): RecordVersion {
  return { configuration: revision - observations, observations };
}
