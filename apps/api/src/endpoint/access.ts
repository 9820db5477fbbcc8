import type { OwnedRecords } from "./owned-records.ts";

/** Who may call an endpoint. */
export type Access =
  | { readonly kind: "public" }
  /** Callers with a name and a password. A token is refused. */
  | { readonly kind: "password" }
  /** Any caller whose credentials are valid. */
  | { readonly kind: "authenticated" }
  /** Callers that hold this authority. */
  | { readonly kind: "authority"; readonly authority: string }
  /** The owner of the record that `id` names in the path, and administrators. To every other caller it is the identical 404. */
  | {
      readonly kind: "record";
      readonly of: OwnedRecords;
      /** Set if the handler also takes a deleted record. Otherwise it is 410. */
      readonly takesDeleted?: boolean;
    }
  /** Callers that hold the authority of the report type that `reportType` names, in the query, in the body or in the path. */
  | { readonly kind: "report-type"; readonly in: "query" | "body" | "path" }
  /**
   * Callers that may know of the report that `id` names. In a query, `reportType` is next to it, and its authority is needed first. To every
   * other caller it is the identical 404, in each state of the report. docs/reference/resources/access.md#authorities.
   */
  | {
      readonly kind: "report";
      readonly in: "path" | "query";
      /** Set if only its requester and administrators may call. Other callers that may know of it get 403. */
      readonly changes?: boolean;
      /** Set if the handler also takes a deleted report. Otherwise it is 410. */
      readonly takesDeleted?: boolean;
    };

/** Returns the one authority that an endpoint needs. Undefined where it needs none, and where a report type decides. */
export function authorityOf(access: Access): string | undefined {
  if (access.kind === "record") return access.of.authority;
  return access.kind === "authority" ? access.authority : undefined;
}
