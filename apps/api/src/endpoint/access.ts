import type { OwnedRecords } from "./owned-records.ts";

export type Access =
  | { readonly kind: "public" }
  /** Only name and password; a token is refused. */
  | { readonly kind: "password" }
  | { readonly kind: "authenticated" }
  | { readonly kind: "authority"; readonly authority: string }
  /** The owner of the record that `id` names in the path, and administrators. To every other caller it is the identical 404. */
  | {
      readonly kind: "record";
      readonly of: OwnedRecords;
      /** The handler also takes a deleted record. Otherwise it is 410. */
      readonly acceptsDeleted?: boolean;
    }
  /** Callers with the authority of the report type in `reportType`, from the query, the body or the path. */
  | { readonly kind: "report-type"; readonly in: "query" | "body" | "path" }
  /**
   * Callers that may see the report `id`. In a query, `reportType` precedes it, and its authority is checked first. Others get the identical
   * 404 in every state. docs/reference/resources/access.md#authorities.
   */
  | {
      readonly kind: "report";
      readonly in: "path" | "query";
      /** Only for its requester and administrators. Other callers that may see it get 403. */
      readonly changes?: boolean;
      /** The handler also takes a deleted report. Otherwise it is 410. */
      readonly acceptsDeleted?: boolean;
    };

/** Returns the single authority of an endpoint; undefined if none is needed, or a report type decides. */
export function authorityOf(access: Access): string | undefined {
  if (access.kind === "record") return access.of.authority;
  return access.kind === "authority" ? access.authority : undefined;
}
