import { isJsonObject, type JsonObject } from "./json-object.ts";

export const mergePatchMediaTypes: readonly string[] = ["application/merge-patch+json", "application/json"];

/** Applies a JSON merge patch (RFC 7396): null removes a field, and objects are merged recursively. */
export function applyMergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const changes = Object.entries(patch).map(([field, value]) => {
    const before = target[field];
    return [field, isJsonObject(value) ? applyMergePatch(isJsonObject(before) ? before : {}, value) : value] as const;
  });
  const merged = { ...target, ...Object.fromEntries(changes) };
  return Object.fromEntries(Object.entries(merged).filter(([field]) => patch[field] !== null));
}
