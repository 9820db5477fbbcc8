import {
  answeredFields,
  recordNotFound,
  type CollectionDefinition,
  type RecordPlace,
  type Stored,
} from "@reports/core/record";
import { idField } from "@reports/core/query";
import { isId } from "@reports/runtime";
import { z } from "zod";
import { problems, type Reply, type ResponseSpec } from "../endpoint/endpoint.ts";
import type { Validators } from "../http/conditions.ts";
import type { CollectionSite } from "./mounted-collection.ts";

/** Response headers of one record. */
export const recordHeaders = {
  ETag: 'Strong entity tag of two parts, "<configuration>-<observations>": the second changes with what probes observe, the first with everything else.',
  "Cache-Control": "private, no-cache",
};

/** Request headers that writes of a record heed. */
export const recordConditions = {
  "If-Match":
    "Entity tags of which one must be current in its first part: the write happens to the configuration that was read, whatever probes have observed since, or not at all.",
  "If-None-Match": "Entity tags of which none may be current, both parts compared.",
};

/** Shows a record to callers. */
export type ShowRecord = (record: object) => Readonly<Record<string, unknown>>;

/** How records of a collection are shown: the fields of its schema and no others, times as RFC 3339 text. */
export function showRecordOf(definition: Pick<CollectionDefinition, "schema">): ShowRecord {
  const fields = answeredFields(definition);
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

/** A value that can be shown as V: times may be Dates. */
type Showable<V> = V extends string
  ? V | (string extends V ? Date : never)
  : V extends readonly (infer Item)[]
    ? readonly Item[]
    : V;

/** Shows records by the schema of their responses. The compiler demands a value for each field. */
export function showAs<S extends z.ZodObject>(
  schema: S,
): (record: { readonly [Name in keyof z.output<S>]: Showable<z.output<S>[Name]> }) => z.output<S> {
  const show = showRecordOf({ schema });
  return (record) => show(record) as z.output<S>;
}

/**
 * The entity tag of a stored version, and that If-Match compares its first part alone; docs/decisions/0026. `representation` grows when a
 * later version of the service shows the same record differently. Reads then are 200, and If-Match still takes tags of the earlier version.
 */
export function validatorsOf(
  { version: { configuration, observations } }: Pick<Stored<unknown>, "version">,
  representation = 1,
): Validators {
  const shown = representation === 1 ? "" : `.${representation}`;
  return { etag: `"${configuration}-${observations}${shown}"`, partForIfMatch: configurationOf };
}

function configurationOf(etag: string): string | null {
  return /^"(\d+)-\d+(?:\.\d+)?"$/.exec(etag)?.[1] ?? null;
}

/** A whole record with its entity tag. */
export function recordReply(
  status: number,
  stored: Stored<object>,
  show: ShowRecord,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return {
    status,
    headers: { ETag: validatorsOf(stored).etag, "Cache-Control": "private, no-cache", ...headers },
    body: { kind: "json", value: show(stored.record) },
  };
}

/** The id of the parent in the path; null for a collection at the top level. Throws DomainError("not-found") for a text that is not an id. */
export function parentIdOf({ parent }: CollectionSite, params: Readonly<Record<string, string>>): string | null {
  return parent === undefined ? null : idIn(params, parent.idParam, parent.definition.singular);
}

/** The record that the path names. Throws DomainError("not-found") for a text that is not an id. */
export function placeOf(site: CollectionSite, params: Readonly<Record<string, string>>): RecordPlace {
  return { parentId: parentIdOf(site, params), id: idIn(params, site.idParam, site.definition.singular) };
}

/** The path's parameters, for the documentation. */
export function paramsOf({ parent, idParam, definition }: CollectionSite): z.ZodObject {
  return z.object({ ...(parent === undefined ? {} : parentParamsOf(parent).shape), [idParam]: idOf(definition) });
}

/** That of them which names the parent. */
export function parentParamsOf({ idParam, definition }: NonNullable<CollectionSite["parent"]>): z.ZodObject {
  return z.object({ [idParam]: idOf(definition) });
}

/** What a missing or deleted parent is answered with. */
export function parentProblems(parent: CollectionSite["parent"]): Readonly<Record<number, ResponseSpec>> {
  if (parent === undefined) return {};
  const { singular } = parent.definition;
  return problems({ 404: `There is no such ${singular}.`, 410: `The ${singular} was deleted.` });
}

function idOf({ singular }: CollectionSite["definition"]): z.ZodType {
  return idField(`Id of the ${singular}.`);
}

function idIn(params: Readonly<Record<string, string>>, name: string, singular: string): string {
  const id = params[name] ?? "";
  if (!isId(id)) throw recordNotFound(singular);
  return id;
}
