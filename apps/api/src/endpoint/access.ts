import type { OwnedRecords } from "./owned-records.ts";

/** Who may call an endpoint. */
export type Access =
  | { readonly kind: "public" }
  /** Callers with a name and a password; a token will not do. */
  | { readonly kind: "password" }
  /** Any caller whose credentials are valid. */
  | { readonly kind: "authenticated" }
  /** Callers that hold this authority. */
  | { readonly kind: "authority"; readonly authority: string }
  /** The owner of the record that `id` names in the path, and administrators. To every other caller it is the identical 404. */
  | {
      readonly kind: "record";
      readonly of: OwnedRecords;
      /** Whether the handler takes a deleted record, too; it is 410 otherwise. */
      readonly takesDeleted?: boolean;
    }
  /** Callers that hold the authority of the report type that `reportType` names, in the query, in the body or in the path. */
  | { readonly kind: "report-type"; readonly in: "query" | "body" | "path" }
  /**
   * Callers that may know of the report which `id` names, in the path, or beside its `reportType` in the query, whose authority is then needed
   * first. To everybody else it is the identical 404, whatever became of it. docs/contract.md §7.3.
   */
  | {
      readonly kind: "report";
      readonly in: "path" | "query";
      /** Only its requester and administrators of reports; others that know of it get 403. */
      readonly changes?: boolean;
      /** Whether the handler takes a deleted report, too; it is 410 otherwise. */
      readonly takesDeleted?: boolean;
    };

/** Returns the one authority that an endpoint needs. Undefined where it needs none, and where a report type decides. */
export function authorityOf(access: Access): string | undefined {
  if (access.kind === "record") return access.of.authority;
  return access.kind === "authority" ? access.authority : undefined;
}
