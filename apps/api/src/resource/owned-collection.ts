import type { Principal } from "@reports/auth";
import type { CollectionPage, CollectionQuery } from "@reports/core/query";
import type { z } from "zod";
import type { Access } from "../endpoint/access.ts";
import type { AuditedReply } from "../endpoint/audited-action.ts";
import type { EndpointInput, InputOf } from "../endpoint/endpoint.ts";
import type { OwnedRecord, OwnedRecords } from "../endpoint/owned-records.ts";
import type { Tag } from "../endpoint/tag.ts";
import type { Validators } from "../http/conditions.ts";
import type { ListView } from "./list-fields.ts";

/** A record that the collection serves. */
export interface OwnedItem extends OwnedRecord {
  /** Lower-case UUIDv7. */
  readonly id: string;
}

/** How an operation is described in the documentation. */
interface Described {
  readonly summary: string;
  readonly description: string;
}

/** A body, for the documentation. The collection reads it by itself. */
interface DescribedBody {
  readonly schema: z.ZodType;
  readonly example: unknown;
}

/** One way to change a record. */
export interface OwnedChange<Rec extends OwnedItem> extends Described {
  readonly body: DescribedBody;
  /** Changes the loaded record. Calls `precondition` with the stored version, under its lock. */
  apply(
    input: EndpointInput<unknown> & { readonly record: Rec },
    precondition: (stored: Rec) => void,
  ): Promise<{ readonly record: Rec; readonly audit?: AuditedReply }>;
}

/** A collection with owners. Paths, access, conditions, lists, audit and OpenAPI follow from it; left out verbs do not exist. */
export interface OwnedCollection<Rec extends OwnedItem = OwnedItem, Creating extends Access = Access> {
  /** The path segment: a plural noun in kebab-case. */
  readonly name: string;
  /** The name of one record in operation IDs: `ReportSchedule`. */
  readonly operation: string;
  readonly tag: Tag;
  readonly records: OwnedRecords<Rec>;
  /** One record as callers see it. */
  readonly schema: z.ZodType;
  readonly view: ListView;
  /** Says when the entity tag changes. */
  readonly etag: string;
  validatorsOf(record: Rec): Validators;
  /** Shows a record to a caller. */
  show(record: Rec, principal: Principal): object | Promise<object>;
  readonly list: Described & {
    /** Reads a page of the records of this owner, or (null) of all owners. */
    page(query: CollectionQuery & { readonly owner: string | null }, signal: AbortSignal): Promise<CollectionPage<Rec>>;
  };
  readonly read: Described;
  readonly create: Described & {
    /** Replaces the access that follows from the authority of the records. */
    readonly access?: Creating;
    readonly body: DescribedBody;
    /** The response, if it shows more than the record. It is then never cached. */
    readonly answer?: { readonly description: string; readonly schema: z.ZodType };
    /** Describes 422. */
    readonly invalid: string;
    /** Creates a record of the caller. `once` is shown in this response only. */
    apply(input: InputOf<Creating, unknown>): Promise<{ readonly record: Rec; readonly shownOnce?: object }>;
  };
  /** The common part of replace and patch. */
  readonly change: {
    /** Describes the response. */
    readonly answer: string;
    /** Describes 403, if a change needs more than the access to the record. */
    readonly forbidden?: string;
    /** Describes 422. */
    readonly invalid: string;
  };
  readonly replace?: OwnedChange<Rec>;
  readonly patch: OwnedChange<Rec>;
  readonly remove: Described & {
    /** Makes a tombstone. A deleted record stays as it is. `precondition` sees the stored version, under its lock. */
    apply(record: Rec, precondition: (stored: Rec) => void): Promise<void>;
  };
}
