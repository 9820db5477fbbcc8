import type { CollectionRecord } from "./collection-definition.ts";
import type { CollectionPage, CollectionQuery } from "../query/collection-query.ts";
import type { RecordVersion } from "./record-version.ts";

/** A record as it is stored. */
export interface Stored<Rec> {
  readonly record: Rec;
  readonly version: RecordVersion;
  /** When what is not observed was changed last; not after the record's `updatedAt`, which every change sets. */
  readonly configuredAt: Date;
  /** Set on a tombstone. */
  readonly deletedAt: Date | null;
}

/** A record in a list, which is shown and nothing else: its times may be RFC 3339 texts already, as `Date.toISOString` writes them. */
export type ListedRecord<Rec> = {
  readonly [Field in keyof Rec]: Date extends Rec[Field] ? Rec[Field] | string : Rec[Field];
};

/** Where a record of a collection is. */
export interface RecordPlace {
  readonly id: string;
  /** Null for a collection at the top level. */
  readonly parentId: string | null;
}

/**
 * Where the records of a collection live. All methods reject with StoreUnavailableError when the database does not answer in time,
 * and those that write with DomainError("invalid") carrying an issue of code `taken` for each field of a value that another record has.
 */
export interface CollectionStore<Rec extends CollectionRecord = CollectionRecord, Input = unknown> {
  /**
   * Living records, of one parent or (null) of all. Rejects with DomainError("bad-request") for a position that does not belong to the sort,
   * with DomainError("unavailable", "list-too-slow") when it takes too long, and with the signal's reason: what was read for it ends.
   */
  list(
    query: CollectionQuery & { readonly parentId: string | null },
    signal: AbortSignal,
  ): Promise<CollectionPage<ListedRecord<Rec>>>;
  /** The record, a tombstone included; null when there never was one, or not under this parent. */
  find(place: RecordPlace): Promise<Stored<Rec> | null>;
  /** Rejects with DomainError: not-found or gone, when the parent is not there (any more). */
  create(place: RecordPlace, input: Input): Promise<Stored<Rec>>;
  /** Writes the complete input over the version `from`, which becomes `to`; null when the record has another one by now, or is gone. */
  replace(place: RecordPlace, from: RecordVersion, to: RecordVersion, input: Input): Promise<Stored<Rec> | null>;
  /** Makes a tombstone of the given version, and of all that belongs to the record; false when it has another version by now, or is gone. */
  remove(place: RecordPlace, version: RecordVersion): Promise<boolean>;
}
