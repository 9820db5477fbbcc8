import type { Principal } from "@reports/auth";
import type { CollectionPage, CollectionQuery } from "@reports/core/query";
import type { z } from "zod";
import type { AccessRule } from "../endpoint/access-rule.ts";
import type { ReplyAuditFields } from "../endpoint/audited-action.ts";
import type { HandlerInput, HandlerInputForAccess } from "../endpoint/endpoint.ts";
import type { OwnedRecord, OwnedRecordKind } from "../endpoint/owned-record-kind.ts";
import type { OpenApiTag } from "../endpoint/open-api-tag.ts";
import type { HttpValidators } from "../http/conditional-headers.ts";
import type { ListQueryDefinition } from "./create-list-query-fields.ts";

export interface OwnedRecordWithId extends OwnedRecord {
  /** Lower-case UUIDv7. */
  readonly id: string;
}

interface OperationTexts {
  readonly summary: string;
  readonly description: string;
}

/** Describes a request body for the documentation. It checks nothing: the method `apply` parses the body. */
interface DescribedBody {
  readonly schema: z.ZodType;
  readonly example: unknown;
}

export interface OwnedUpdateOperation<Rec extends OwnedRecordWithId> extends OperationTexts {
  readonly body: DescribedBody;
  /** Changes the loaded record. Calls `precondition` with the stored record while it is locked, to check conditions such as If-Match. */
  apply(
    input: HandlerInput<unknown> & { readonly record: Rec },
    precondition: (stored: Rec) => void,
  ): Promise<{ readonly record: Rec; readonly audit?: ReplyAuditFields }>;
}

/** Defines a collection whose records have owners. The API derives paths, access checks, conditional requests, audit lines and OpenAPI from it. */
export interface OwnedCollection<
  Rec extends OwnedRecordWithId = OwnedRecordWithId,
  Creating extends AccessRule = AccessRule,
> {
  readonly name: string;
  readonly operation: string;
  readonly tag: OpenApiTag;
  readonly records: OwnedRecordKind<Rec>;
  readonly schema: z.ZodType;
  readonly view: ListQueryDefinition;
  readonly etag: string;
  toValidators(record: Rec): HttpValidators;
  show(record: Rec, principal: Principal): object | Promise<object>;
  readonly list: OperationTexts & {
    /** Reads a page of the records of one owner, or of all owners if `owner` is null. */
    page(query: CollectionQuery & { readonly owner: string | null }, signal: AbortSignal): Promise<CollectionPage<Rec>>;
  };
  readonly read: OperationTexts;
  readonly create: OperationTexts & {
    /** The callers that may create a record. Default: all callers with the authority of the records. */
    readonly access?: Creating;
    readonly body: DescribedBody;
    /** Describes the response to a creation, if it contains more than the record. The API forbids caches to store it. */
    readonly answer?: { readonly description: string; readonly schema: z.ZodType };
    readonly invalid: string;
    /** Creates a record that belongs to the caller. `shownOnce` has further fields, such as a secret, that no later response contains. */
    apply(
      input: HandlerInputForAccess<Creating, unknown>,
    ): Promise<{ readonly record: Rec; readonly shownOnce?: object }>;
  };
  readonly change: {
    readonly answer: string;
    /** Describes the 403, if some callers that can read the record may not change it. */
    readonly forbidden?: string;
    readonly invalid: string;
  };
  readonly replace?: OwnedUpdateOperation<Rec>;
  readonly patch: OwnedUpdateOperation<Rec>;
  readonly remove: OperationTexts & {
    /** Deletes the record, unless it is already deleted. Calls `precondition` with the stored record while it is locked. */
    apply(record: Rec, precondition: (stored: Rec) => void): Promise<void>;
  };
}
