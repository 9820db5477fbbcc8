import {
  createRecord,
  findRecord,
  patchRecord,
  removeRecord,
  replaceRecord,
  type InputRules,
  type Stored,
} from "@reports/core/record";
import { mergePatchTypes } from "@reports/core/base";
import type { z } from "zod";
import { defineEndpoint, deletedResponse, problems, type Endpoint } from "../endpoint/endpoint.ts";
import { failedWrite, isCurrent, refuseMalformedConditions, refuseUnlessCurrent } from "../http/precondition.ts";
import type { CollectionSite, ResourceDeps } from "./mounted-collection.ts";
import { inputSchema, patchSchema } from "./input-schema.ts";
import {
  paramsOf,
  parentIdOf,
  parentParamsOf,
  parentProblems,
  placeOf,
  recordConditions,
  recordHeaders,
  recordReply,
  showRecordOf,
  validatorsOf,
} from "./record-resource.ts";

const jsonOnly = ["application/json"];

/** `GET /{collection}/{id}`. */
export function readRecordEndpoint(site: CollectionSite): Endpoint {
  const { definition } = site;
  const show = showRecordOf(definition);
  return defineEndpoint({
    method: "GET",
    path: itemPath(site),
    operationId: `read${site.singularName}`,
    summary: `Reads one ${definition.singular}`,
    description: `The ${definition.singular} with its entity tag, under which it can be changed and asked for again.`,
    tag: site.tag,
    access: { kind: "authority", authority: definition.authorities.read },
    params: paramsOf(site),
    headers: {
      "If-None-Match": "Entity tags that the caller has already.",
      "If-Match": "Entity tags of which one must be current in its first part.",
    },
    produces: jsonOnly,
    responses: {
      200: {
        kind: "json",
        description: `The ${definition.singular}.`,
        schema: definition.schema,
        headers: recordHeaders,
      },
      304: { kind: "empty", description: "The record has not changed.", headers: recordHeaders },
      ...problems(itemProblems(definition.singular)),
    },
    async handle(input) {
      const stored = await findRecord(storeOf(site), placeOf(site, input.params));
      const reply = recordReply(200, stored, show);
      return isCurrent(input, validatorsOf(stored)) ? { ...reply, status: 304, body: { kind: "empty" } } : reply;
    },
  });
}

/** `POST /{collection}`. */
export function createRecordEndpoint<Input>(
  deps: ResourceDeps,
  site: CollectionSite,
  rules: InputRules<Input>,
): Endpoint {
  const { definition, parent } = site;
  const { singular } = definition;
  const show = showRecordOf(definition);
  return defineEndpoint({
    method: "POST",
    path: site.path,
    operationId: `create${site.singularName}`,
    summary: `Creates a ${singular}`,
    description: `The body is complete: fields that are left out take their defaults.`,
    tag: site.tag,
    access: { kind: "authority", authority: definition.authorities.write },
    audit: { recordType: singular, verb: "create" },
    ...(parent === undefined ? {} : { params: parentParamsOf(parent) }),
    body: { mediaTypes: jsonOnly, schema: inputSchema(definition, rules), example: definition.example },
    produces: jsonOnly,
    responses: {
      201: {
        kind: "json",
        description: `The new ${singular}.`,
        schema: definition.schema,
        headers: { ...recordHeaders, Location: `The new ${singular}.` },
      },
      ...problems(bodyProblems),
      ...parentProblems(parent),
    },
    async handle({ params, body }) {
      const parentId = parentIdOf(site, params);
      // The parent is checked before the body, because a correct body does not help without it.
      if (parent !== undefined) await findRecord(storeOf(parent), { id: parentId!, parentId: null });
      const stored = await createRecord(
        { ...storeOf(site), newId: deps.newId },
        rules,
        { parentId, field: definition.parentField },
        body,
      );
      const path = parent === undefined ? site.path : site.path.replace(`{${parent.idParam}}`, parentId!);
      const { id } = stored.record;
      const headers = { Location: `${deps.basePath}${path}/${id}` };
      return { ...recordReply(201, stored, show, headers), audit: { recordId: id } };
    },
  });
}

/** `PUT /{collection}/{id}`. */
export function replaceRecordEndpoint<Input>(site: CollectionSite, rules: InputRules<Input>): Endpoint {
  return changeEndpoint(site, {
    method: "PUT",
    verb: "replace",
    summary: `Replaces a ${site.definition.singular}`,
    description: `The body is complete: fields that are left out go back to their defaults${exceptObserved(rules)}. With If-Match, it is the version that was read that is replaced, or none.`,
    mediaTypes: jsonOnly,
    schema: inputSchema(site.definition, rules),
    example: site.definition.example,
    change: async (place, body, precondition) => replaceRecord(storeOf(site), rules, place, body, precondition),
  });
}

/** `PATCH /{collection}/{id}`, a JSON merge patch (RFC 7396). */
export function patchRecordEndpoint<Input>(site: CollectionSite, rules: InputRules<Input>): Endpoint {
  const { example } = site.definition;
  return changeEndpoint(site, {
    method: "PATCH",
    verb: "patch",
    summary: `Changes fields of a ${site.definition.singular}`,
    description:
      "A JSON merge patch (RFC 7396): fields that are left out stay, null takes a field back to its default.",
    mediaTypes: mergePatchTypes,
    schema: patchSchema(site.definition, rules),
    example: Object.fromEntries(Object.entries(example).slice(0, 1)),
    change: async (place, body, precondition) => patchRecord(storeOf(site), rules, place, body, precondition),
  });
}

/** `DELETE /{collection}/{id}`. */
export function removeRecordEndpoint(site: CollectionSite): Endpoint {
  const { definition } = site;
  // There is no 410, because deleting a deleted record succeeds.
  const { 410: _, ...missing } = itemProblems(definition.singular);
  return defineEndpoint({
    method: "DELETE",
    path: itemPath(site),
    operationId: `delete${site.singularName}`,
    summary: `Deletes a ${definition.singular}${(site.children ?? []).map((child) => ` and its ${child.definition.name}`).join("")}`,
    description: "Repeating it changes nothing and is answered in the same way.",
    tag: site.tag,
    access: { kind: "authority", authority: definition.authorities.write },
    audit: { recordType: definition.singular, verb: "delete", idParam: site.idParam },
    params: paramsOf(site),
    headers: recordConditions,
    checkRequest: refuseMalformedConditions,
    produces: [],
    responses: {
      ...deletedResponse,
      ...problems(missing),
    },
    async handle(input) {
      await removeRecord(storeOf(site), placeOf(site, input.params), (stored) =>
        refuseUnlessCurrent(input, validatorsOf(stored)),
      );
      return { status: 204, body: { kind: "empty" } };
    },
  });
}

interface Change {
  readonly method: "PUT" | "PATCH";
  readonly verb: string;
  readonly summary: string;
  readonly description: string;
  readonly mediaTypes: readonly string[];
  readonly schema: z.ZodType;
  readonly example: unknown;
  change(
    place: ReturnType<typeof placeOf>,
    body: unknown,
    precondition: (stored: Stored<unknown>) => void,
  ): Promise<Stored<object>>;
}

function changeEndpoint(site: CollectionSite, change: Change): Endpoint {
  const { definition } = site;
  const show = showRecordOf(definition);
  return defineEndpoint({
    method: change.method,
    path: itemPath(site),
    operationId: `${change.verb}${site.singularName}`,
    summary: change.summary,
    description: change.description,
    tag: site.tag,
    access: { kind: "authority", authority: definition.authorities.write },
    audit: { recordType: definition.singular, verb: change.verb, idParam: site.idParam },
    params: paramsOf(site),
    headers: recordConditions,
    checkRequest: refuseMalformedConditions,
    body: { mediaTypes: change.mediaTypes, schema: change.schema, example: change.example },
    produces: jsonOnly,
    responses: {
      // A modification is answered with 201, too: docs/reference/http.md#methods.
      201: {
        kind: "json",
        description: `The whole ${definition.singular} as it is now.`,
        schema: definition.schema,
        headers: recordHeaders,
      },
      ...problems({ ...itemProblems(definition.singular), ...bodyProblems }),
    },
    async handle(input) {
      const place = placeOf(site, input.params);
      const stored = await change.change(place, input.body, (current) =>
        refuseUnlessCurrent(input, validatorsOf(current)),
      );
      return recordReply(201, stored, show);
    },
  });
}

/** Returns the end of a PUT's description: which fields keep their values because probes observe them. */
function exceptObserved({ observedFields }: Pick<InputRules<unknown>, "observedFields">): string {
  if (observedFields.length === 0) return "";
  return `. Fields that probes observe (${observedFields.join(", ")}) keep their values: a body may contain them, and they are checked but not stored`;
}

const bodyProblems = {
  422: "Fields are missing, unknown, wrong or taken; all of them are listed.",
};

function itemProblems(singular: string) {
  return {
    404: `There is no such ${singular}.`,
    410: `The ${singular} was deleted.`,
    ...failedWrite,
  };
}

function storeOf({ store, definition }: Pick<CollectionSite, "store" | "definition">) {
  return { store, singular: definition.singular };
}

function itemPath({ path, idParam }: CollectionSite): string {
  return `${path}/{${idParam}}`;
}
