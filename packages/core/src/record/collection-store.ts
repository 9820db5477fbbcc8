import type { CollectionRecord } from "./collection-definition.ts";
import type { CollectionPage, CollectionQuery } from "../query/collection-query.ts";
import type { RecordVersion } from "./record-version.ts";

export interface StoredRecord<Rec> {
  readonly record: Rec;
  readonly version: RecordVersion;
  /** When a field that is not observed last changed. It is never after `updatedAt`, which every change sets. */
  readonly configuredAt: Date;
  /** When the record was deleted; null for an active record. */
  readonly deletedAt: Date | null;
}

/** A record in a list, which is only shown. Its times can be texts already, as `Date.toISOString` writes them. */
export type ListedRecord<Rec> = {
  readonly [Field in keyof Rec]: Date extends Rec[Field] ? Rec[Field] | string : Rec[Field];
};

/** Location of a record in its collection. */
export interface RecordPath {
  readonly id: string;
  /** ID of the parent record; null in a collection at the top level. */
  readonly parentId: string | null;
}

/**
 * Port of the store of a collection. All methods reject with StoreUnavailableError if the database does not respond in time. Writes reject with
 * DomainError("invalid") if another record already has a unique value, with an issue `taken` per field.
 */
export interface CollectionStore<Rec extends CollectionRecord = CollectionRecord, Input = unknown> {
  /**
   * Returns a page of active records of one parent, or of all parents if `parentId` is null. Rejects with DomainError: bad-request if the position
   * does not fit the sort, unavailable (`list-too-slow`) after too long. An abort ends the query and rejects with the signal's reason.
   */
  list(
    query: CollectionQuery & { readonly parentId: string | null },
    signal: AbortSignal,
  ): Promise<CollectionPage<ListedRecord<Rec>>>;
  /** Returns the record or its tombstone; null if no such record existed under this parent. */
  find(place: RecordPath): Promise<StoredRecord<Rec> | null>;
  /** Creates a record. Rejects with DomainError: not-found if the parent does not exist, gone if it was deleted. */
  create(place: RecordPath, input: Input): Promise<StoredRecord<Rec>>;
  /** Writes the complete input and changes the version from `from` to `to`. Returns null if the record has another version or was deleted. */
  replace(place: RecordPath, from: RecordVersion, to: RecordVersion, input: Input): Promise<StoredRecord<Rec> | null>;
  /** Deletes the given version of a record and its child records, and leaves tombstones. Returns false if the record has another version or was deleted. */
  remove(place: RecordPath, version: RecordVersion): Promise<boolean>;
}
