import type { OwnedRecordKind } from "./owned-record-kind.ts";

export type AccessRule =
  | { readonly kind: "public" }
  /** Callers that send a name and a password. A bearer token is refused. */
  | { readonly kind: "password" }
  | { readonly kind: "authenticated" }
  | { readonly kind: "authority"; readonly authority: string }
  /** The owner of the record whose ID is the path parameter `id`, and administrators. Other callers get the same 404 as for an unknown ID. */
  | {
      readonly kind: "record";
      readonly of: OwnedRecordKind;
      readonly acceptsDeleted?: boolean;
    }
  /** Callers with the authority of the requested report type. The query, the body or the path names that type as `reportType`. */
  | { readonly kind: "report-type"; readonly in: "query" | "body" | "path" }
  /**
   * Callers that may see the report `id`. If `id` is in the query, the query also names the report type, whose authority is checked first. Other
   * callers get the same 404 for every state of the report. docs/reference/resources/access.md#authorities.
   */
  | {
      readonly kind: "report";
      readonly in: "path" | "query";
      /** Whether only the requester and administrators may call the endpoint. Other callers that may see the report get 403. */
      readonly changes?: boolean;
      readonly acceptsDeleted?: boolean;
    };

/** Returns the authority that an endpoint always requires. Returns undefined if it requires none, or if the authority depends on the report type. */
export function findRequiredAuthority(access: AccessRule): string | undefined {
  if (access.kind === "record") return access.of.authority;
  return access.kind === "authority" ? access.authority : undefined;
}
