import type { OwnedRecords } from "./owned-records.ts";

export type Access =
  | { readonly kind: "public" }
  /** Callers that send a name and a password. A bearer token is refused. */
  | { readonly kind: "password" }
  | { readonly kind: "authenticated" }
  | { readonly kind: "authority"; readonly authority: string }
  /** The owner of the record with the path parameter `id`, and administrators. Other callers get the same 404 as for an unknown ID. */
  | {
      readonly kind: "record";
      readonly of: OwnedRecords;
      /** Whether the handler accepts a deleted record. Otherwise the API answers 410 for a deleted one. */
      readonly acceptsDeleted?: boolean;
    }
  /** Callers with the authority of the report type that `reportType` names in the query, the body or the path. */
  | { readonly kind: "report-type"; readonly in: "query" | "body" | "path" }
  /**
   * Callers that may see the report `id`. If the query contains `id`, it also names `reportType`, whose authority is checked first. Other
   * callers get the same 404 for every state of the report. docs/reference/resources/access.md#authorities.
   */
  | {
      readonly kind: "report";
      readonly in: "path" | "query";
      /** Whether only the requester and administrators may call the endpoint. Other callers that may see the report get 403. */
      readonly changes?: boolean;
      /** Whether the handler accepts a deleted report. Otherwise the API answers 410 for a deleted one. */
      readonly acceptsDeleted?: boolean;
    };

/** Returns the authority that an endpoint needs. Returns undefined if it needs none, or if the report type decides. */
export function findRequiredAuthority(access: Access): string | undefined {
  if (access.kind === "record") return access.of.authority;
  return access.kind === "authority" ? access.authority : undefined;
}
