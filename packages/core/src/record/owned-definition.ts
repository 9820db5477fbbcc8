import type { CollectionPage, CollectionQuery } from "../query/collection-query.ts";
import type { CollectionView } from "./collection-definition.ts";
import type { RecordDefinition } from "./define-record.ts";
import type { Fields } from "./field.ts";

/** A collection whose records belong to principals. Store, rights, paths, schemas and checks follow from this and from its table. */
export interface OwnedDefinition<F extends Fields = Fields> extends CollectionView {
  /** The path segment: a plural noun in kebab-case. */
  readonly name: string;
  /** The name of one record, in camelCase: `bookmark`. */
  readonly singular: string;
  readonly record: RecordDefinition<F>;
  /** The authority that every endpoint needs. Without it, each caller may have records. */
  readonly authority?: string;
  /** How many records an owner may have. */
  readonly mostPerOwner: number;
  /** A body that creates a record, for the documentation. */
  readonly example: Readonly<Record<string, unknown>>;
}

type Values = Readonly<Record<string, unknown>>;

/** A record of such a collection, as it is stored. */
export interface OwnedRow {
  readonly id: string;
  readonly owner: string;
  /** Grows with every change. */
  readonly revision: number;
  /** Set on a tombstone. */
  readonly deletedAt: Date | null;
  readonly [field: string]: unknown;
}

/** The store of such a collection. All methods reject with StoreUnavailableError. */
export interface OwnedRowStore {
  /** Reads a page of the active records of this owner, or (null) of all owners. */
  list(
    query: CollectionQuery & { readonly owner: string | null },
    signal: AbortSignal,
  ): Promise<CollectionPage<OwnedRow>>;
  /** The record, a tombstone included. */
  find(id: string): Promise<OwnedRow | null>;
  /** Null if the owner has as many records as one may have. */
  create(key: Pick<OwnedRow, "id" | "owner">, input: Values): Promise<OwnedRow | null>;
  /** Changes an active record under its lock. What `inputOf` throws is passed on. Null if there is no such record. */
  change(id: string, inputOf: (stored: OwnedRow) => Values): Promise<OwnedRow | null>;
  /** Makes a tombstone of an active record, unless `precondition` throws. */
  remove(id: string, precondition: (stored: OwnedRow) => void): Promise<void>;
}
