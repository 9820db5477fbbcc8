import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Relation } from "./relations/relation.ts";

/** A table of records: its columns are called as the record's fields, and these are beside them. */
export type CollectionTable = PgTable & {
  readonly id: AnyPgColumn;
  readonly revision: AnyPgColumn;
  readonly updatedAt: AnyPgColumn;
  readonly deletedAt: AnyPgColumn;
};

/** A unique index among the living, and how a caller is told of it. */
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
