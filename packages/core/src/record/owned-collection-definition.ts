import type { CollectionPage, CollectionQuery } from "../query/collection-query.ts";
import type { CollectionListDefinition } from "./collection-definition.ts";
import type { RecordDefinition } from "./define-record.ts";
import type { Fields } from "./field.ts";

/** Definition of a collection whose records belong to principals. Store, access rules, paths and schemas are derived from it. */
export interface OwnedCollectionDefinition<F extends Fields = Fields> extends CollectionListDefinition {
  readonly name: string;
  readonly singular: string;
  readonly record: RecordDefinition<F>;
  /** Authority that every endpoint requires. Default: none, so that every caller may have records. */
  readonly authority?: string;
  readonly mostPerOwner: number;
  readonly example: Readonly<Record<string, unknown>>;
}

type ExampleBody = Readonly<Record<string, unknown>>;

export interface StoredOwnedRecord {
  readonly id: string;
  readonly owner: string;
  readonly revision: number;
  readonly deletedAt: Date | null;
  readonly [field: string]: unknown;
}

/** Port of the store of a collection whose records belong to principals. All methods reject with StoreUnavailableError. */
export interface OwnedRecordStore {
  list(
    query: CollectionQuery & { readonly owner: string | null },
    signal: AbortSignal,
  ): Promise<CollectionPage<StoredOwnedRecord>>;
  find(id: string): Promise<StoredOwnedRecord | null>;
  create(key: Pick<StoredOwnedRecord, "id" | "owner">, input: ExampleBody): Promise<StoredOwnedRecord | null>;
  /** Changes an active record while holding its lock. Rejects with the error of `inputOf`. Returns null if there is no active record with this ID. */
  change(id: string, inputOf: (stored: StoredOwnedRecord) => ExampleBody): Promise<StoredOwnedRecord | null>;
  /** Deletes an active record and leaves a tombstone, unless `precondition` throws. */
  remove(id: string, precondition: (stored: StoredOwnedRecord) => void): Promise<void>;
}
