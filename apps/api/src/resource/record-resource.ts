import {
  listResponseFieldNames,
  recordNotFoundError,
  type CollectionDefinition,
  type CollectionRecordKey,
  type StoredRecord,
} from "@reports/core/record";
import { idField } from "@reports/core/query";
import { isUuidV7 } from "@reports/runtime";
import { z } from "zod";
import { describeProblems, replyJson, type Reply, type ResponseSpec } from "../endpoint/endpoint.ts";
import type { HttpValidators } from "../http/conditional-headers.ts";
import type { CollectionRoute } from "./collection-with-store.ts";

export const recordResponseHeaders = {
  ETag: 'Strong entity tag of two parts, "<configuration>-<observations>": the second changes with what probes observe, the first with everything else.',
  "Cache-Control": "private, no-cache",
};

export const recordConditionalHeaders = {
  "If-Match":
    "Entity tags, one of which must match the current one in its first part. If none does, nothing is written. Observations of probes do not change the first part.",
  "If-None-Match": "Entity tags, none of which may match the current one. Both parts are compared.",
};

export type SerializeRecord = (record: object) => Readonly<Record<string, unknown>>;

export function createRecordSerializer(definition: Pick<CollectionDefinition, "schema">): SerializeRecord {
  const fields = listResponseFieldNames(definition);
  return (record) => {
    const values = record as Readonly<Record<string, unknown>>;
    const shown: Record<string, unknown> = {};
    for (const field of fields) {
      const value = values[field];
      shown[field] = value instanceof Date ? value.toISOString() : value;
    }
    return shown;
  };
}

/** The type that a record's field must have so that responses show it as type V. A time may be a Date. */
type Showable<V> = V extends string
  ? V | (string extends V ? Date : never)
  : V extends readonly (infer Item)[]
    ? readonly Item[]
    : V;

/** Returns a function that converts a record to its response schema. The compiler requires a value for each field. */
export function createResponseSerializer<S extends z.ZodObject>(
  schema: S,
): (record: { readonly [Name in keyof z.output<S>]: Showable<z.output<S>[Name]> }) => z.output<S> {
  const show = createRecordSerializer({ schema });
  return (record) => show(record) as z.output<S>;
}

/**
 * Returns the entity tag of a record's version. If-Match compares only its first part (docs/decisions/0026). Increase `representation` if a
 * release shows the same record differently. Conditional reads then get 200, and If-Match still accepts older tags.
 */
export function toRecordValidators(
  { version: { configuration, observations } }: Pick<StoredRecord<unknown>, "version">,
  representation = 1,
): HttpValidators {
  const shown = representation === 1 ? "" : `.${representation}`;
  return { etag: `"${configuration}-${observations}${shown}"`, partForIfMatch: readConfiguration };
}

function readConfiguration(etag: string): string | null {
  return /^"(\d+)-\d+(?:\.\d+)?"$/.exec(etag)?.[1] ?? null;
}

export function createRecordReply(
  status: number,
  stored: StoredRecord<object>,
  show: SerializeRecord,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const { etag } = toRecordValidators(stored);
  return replyJson(show(stored.record), status, { ETag: etag, "Cache-Control": "private, no-cache", ...headers });
}

/** Returns the ID of the parent from the path, or null for a collection without parents. Throws DomainError("not-found") for a malformed ID. */
export function readParentId({ parent }: CollectionRoute, params: Readonly<Record<string, string>>): string | null {
  return parent === undefined ? null : readId(params, parent.idParam, parent.definition.singular);
}

export function readRecordIds(route: CollectionRoute, params: Readonly<Record<string, string>>): CollectionRecordKey {
  return { parentId: readParentId(route, params), id: readId(params, route.idParam, route.definition.singular) };
}

export function createRecordParamsSchema({ parent, idParam, definition }: CollectionRoute): z.ZodObject {
  return z.object({
    ...(parent === undefined ? {} : createParentParamsSchema(parent).shape),
    [idParam]: idSchemaOf(definition),
  });
}

export function createParentParamsSchema({ idParam, definition }: NonNullable<CollectionRoute["parent"]>): z.ZodObject {
  return z.object({ [idParam]: idSchemaOf(definition) });
}

export function createParentProblemSpecs(parent: CollectionRoute["parent"]): Readonly<Record<number, ResponseSpec>> {
  if (parent === undefined) return {};
  const { singular } = parent.definition;
  return describeProblems({ 404: `There is no such ${singular}.`, 410: `The ${singular} was deleted.` });
}

function idSchemaOf({ singular }: CollectionRoute["definition"]): z.ZodType {
  return idField(`Id of the ${singular}.`);
}

function readId(params: Readonly<Record<string, string>>, name: string, singular: string): string {
  const id = params[name] ?? "";
  if (!isUuidV7(id)) throw recordNotFoundError(singular);
  return id;
}
