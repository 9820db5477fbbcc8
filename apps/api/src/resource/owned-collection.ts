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

export interface OwnedItem extends OwnedRecord {
  /** Lower-case UUIDv7. */
  readonly id: string;
}

interface OperationTexts {
  readonly summary: string;
  readonly description: string;
}

/** Describes a request body, for the documentation. The collection itself parses the body. */
interface DescribedBody {
  readonly schema: z.ZodType;
  readonly example: unknown;
}

/** A PUT or PATCH of a record. */
export interface OwnedChange<Rec extends OwnedItem> extends OperationTexts {
  readonly body: DescribedBody;
  /** Changes the loaded record. Calls `precondition` with the stored version, while the record is locked. */
  apply(
    input: EndpointInput<unknown> & { readonly record: Rec },
    precondition: (stored: Rec) => void,
  ): Promise<{ readonly record: Rec; readonly audit?: AuditedReply }>;
}

/** Declares a collection whose records have owners. Its paths, access checks, conditions, audit and OpenAPI follow from the declaration. */
export interface OwnedCollection<Rec extends OwnedItem = OwnedItem, Creating extends Access = Access> {
  /** The path segment: a plural noun in kebab-case. */
  readonly name: string;
  /** The name of one record in operation IDs: `ReportSchedule`. */
  readonly operation: string;
  readonly tag: Tag;
  readonly records: OwnedRecords<Rec>;
  /** The schema of one record in responses. */
  readonly schema: z.ZodType;
  readonly view: ListView;
  /** A text for the documentation that says when the entity tag changes. */
  readonly etag: string;
  validatorsOf(record: Rec): Validators;
  show(record: Rec, principal: Principal): object | Promise<object>;
  readonly list: OperationTexts & {
    /** Reads a page of the records of one owner, or of all owners if `owner` is null. */
    page(query: CollectionQuery & { readonly owner: string | null }, signal: AbortSignal): Promise<CollectionPage<Rec>>;
  };
  readonly read: OperationTexts;
  readonly create: OperationTexts & {
    /** Replaces the access that follows from the authority of the records. */
    readonly access?: Creating;
    readonly body: DescribedBody;
    /** Describes the response, if it contains more than the record. Such a response is never cached. */
    readonly answer?: { readonly description: string; readonly schema: z.ZodType };
    readonly invalid: string;
    /** Creates a record that belongs to the caller. Only this response contains the fields of `shownOnce`. */
    apply(input: InputOf<Creating, unknown>): Promise<{ readonly record: Rec; readonly shownOnce?: object }>;
  };
  /** The common part of replace and patch. */
  readonly change: {
    readonly answer: string;
    /** Describes 403, if a change needs more than the access to the record. */
    readonly forbidden?: string;
    readonly invalid: string;
  };
  readonly replace?: OwnedChange<Rec>;
  readonly patch: OwnedChange<Rec>;
  readonly remove: OperationTexts & {
    /** Deletes the record, unless it is already deleted. Calls `precondition` with the stored version, while the record is locked. */
    apply(record: Rec, precondition: (stored: Rec) => void): Promise<void>;
  };
}
