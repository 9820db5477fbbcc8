import type { CollectionRecord } from "./collection-definition.ts";
import type { CollectionPage, CollectionQuery } from "../query/collection-query.ts";
import type { RecordVersion } from "./record-version.ts";

export interface StoredRecord<Rec> {
  readonly record: Rec;
  readonly version: RecordVersion;
  /** Time of the last change of a field that probes do not write. It is never after `updatedAt`, which every change sets. */
  readonly configuredAt: Date;
  readonly deletedAt: Date | null;
}

/** A record in a list. Its times can be texts already, as `Date.toISOString` writes them, which saves creating Dates. */
export type ListedRecord<Rec> = {
  readonly [Field in keyof Rec]: Date extends Rec[Field] ? Rec[Field] | string : Rec[Field];
};

export interface CollectionRecordKey {
  readonly id: string;
  readonly parentId: string | null;
}

/**
 * Port of the store of a collection. All methods reject with StoreUnavailableError if the database does not respond in time. Writes reject with
 * DomainError("invalid") and an issue `taken` per field if another record has the same value in a unique field.
 */
export interface CollectionStore<Rec extends CollectionRecord = CollectionRecord, Input = unknown> {
  /**
   * Returns a page of active records of one parent, or of all parents if `parentId` is null. Rejects with DomainError: bad-request if the cursor's
   * position does not fit the sort, unavailable (`list-too-slow`) after the time limit. An abort ends the query and rejects with the signal's
   * reason.
   */
  list(
    query: CollectionQuery & { readonly parentId: string | null },
    signal: AbortSignal,
  ): Promise<CollectionPage<ListedRecord<Rec>>>;
  find(place: CollectionRecordKey): Promise<StoredRecord<Rec> | null>;
  /** Creates a record. Rejects with DomainError: not-found if the parent does not exist, gone if the parent was deleted. */
  create(place: CollectionRecordKey, input: Input): Promise<StoredRecord<Rec>>;
  /** Writes the complete input and changes the version from `from` to `to`. Returns null if the record has another version or was deleted. */
  replace(
    place: CollectionRecordKey,
    from: RecordVersion,
    to: RecordVersion,
    input: Input,
  ): Promise<StoredRecord<Rec> | null>;
  /** Deletes this version of a record and its child records; leaves tombstones. Returns false if the record has another version or was deleted. */
  remove(place: CollectionRecordKey, version: RecordVersion): Promise<boolean>;
}
