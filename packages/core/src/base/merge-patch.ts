import type { JsonObject } from "./json-object.ts";

/** What a JSON merge patch (RFC 7396) may be sent as. */
export const mergePatchTypes: readonly string[] = ["application/merge-patch+json", "application/json"];

/** The record with the patch applied: null takes a field away. Records hold no objects, so that nothing is merged any deeper. */
export function applyMergePatch(record: JsonObject, patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries({ ...record, ...patch }).filter(([field]) => patch[field] !== null));
}
