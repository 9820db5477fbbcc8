import {
  createRecord,
  requireRecordOrThrow,
  patchRecord,
  removeRecord,
  replaceRecord,
  type RecordInputRules,
  type StoredRecord,
} from "@reports/core/record";
import { mergePatchMediaTypes } from "@reports/core/base";
import type { z } from "zod";
import {
  defineEndpoint,
  describeDeletion,
  describeJson,
  describeProblems,
  type Endpoint,
} from "../endpoint/endpoint.ts";
import {
  conditionalWriteProblems,
  isNotModified,
  assertWellFormedConditions,
  assertWritePreconditions,
} from "../http/precondition.ts";
import type { CollectionRoute, CollectionEndpointDeps } from "./collection-with-store.ts";
import { createRecordInputSchema, createRecordPatchSchema } from "./create-record-input-schema.ts";
import {
  createRecordParamsSchema,
  readParentId,
  createParentParamsSchema,
  createParentProblemSpecs,
  readRecordIds,
  recordConditionalHeaders,
  recordResponseHeaders,
  createRecordReply,
  createRecordSerializer,
  toRecordValidators,
} from "./record-resource.ts";

const jsonMediaTypes = ["application/json"];

export function readRecordEndpoint(route: CollectionRoute): Endpoint {
  const { definition } = route;
  const show = createRecordSerializer(definition);
  return defineEndpoint({
    method: "GET",
    path: recordPath(route),
    operationId: `read${route.singularName}`,
    summary: `Reads one ${definition.singular}`,
    description: `The ${definition.singular} with its entity tag, under which it can be changed and asked for again.`,
    tag: route.tag,
    access: { kind: "authority", authority: definition.authorities.read },
    params: createRecordParamsSchema(route),
    headers: {
      "If-None-Match": "Entity tags that the caller has already.",
      "If-Match": "Entity tags of which one must be current in its first part.",
    },
    responses: {
      200: describeJson(`The ${definition.singular}.`, definition.schema, recordResponseHeaders),
      304: { kind: "empty", description: "The record has not changed.", headers: recordResponseHeaders },
      ...describeProblems(recordProblems(definition.singular)),
    },
    async handle(input) {
      const stored = await requireRecordOrThrow(storeOf(route), readRecordIds(route, input.params));
      const reply = createRecordReply(200, stored, show);
      return isNotModified(input, toRecordValidators(stored))
        ? { ...reply, status: 304, body: { kind: "empty" } }
        : reply;
    },
  });
}

export function createRecordEndpoint<Input>(
  deps: CollectionEndpointDeps,
  route: CollectionRoute,
  rules: RecordInputRules<Input>,
): Endpoint {
  const { definition, parent } = route;
  const { singular } = definition;
  const show = createRecordSerializer(definition);
  return defineEndpoint({
    method: "POST",
    path: route.path,
    operationId: `create${route.singularName}`,
    summary: `Creates a ${singular}`,
    description: `The body is complete: fields that are left out take their defaults.`,
    tag: route.tag,
    access: { kind: "authority", authority: definition.authorities.write },
    audit: { recordType: singular, verb: "create" },
    ...(parent === undefined ? {} : { params: createParentParamsSchema(parent) }),
    body: {
      mediaTypes: jsonMediaTypes,
      schema: createRecordInputSchema(definition, rules),
      example: definition.example,
    },
    responses: {
      201: describeJson(`The new ${singular}.`, definition.schema, {
        ...recordResponseHeaders,
        Location: `The new ${singular}.`,
      }),
      ...describeProblems(bodyProblems),
      ...createParentProblemSpecs(parent),
    },
    async handle({ params, body }) {
      const parentId = readParentId(route, params);
      // An unknown parent is reported before an invalid body, because no body would be valid below it.
      if (parent !== undefined) await requireRecordOrThrow(storeOf(parent), { id: parentId!, parentId: null });
      const stored = await createRecord(
        { ...storeOf(route), newId: deps.newId },
        rules,
        { parentId, field: definition.parentField },
        body,
      );
      const path = parent === undefined ? route.path : route.path.replace(`{${parent.idParam}}`, parentId!);
      const { id } = stored.record;
      const headers = { Location: `${deps.basePath}${path}/${id}` };
      return { ...createRecordReply(201, stored, show, headers), audit: { recordId: id } };
    },
  });
}

export function replaceRecordEndpoint<Input>(route: CollectionRoute, rules: RecordInputRules<Input>): Endpoint {
  return changeEndpoint(route, {
    method: "PUT",
    verb: "replace",
    summary: `Replaces a ${route.definition.singular}`,
    description: `The body is complete: fields that are left out go back to their defaults${describeObservedFields(rules)}. With If-Match, it is the version that was read that is replaced, or none.`,
    mediaTypes: jsonMediaTypes,
    schema: createRecordInputSchema(route.definition, rules),
    example: route.definition.example,
    change: async (place, body, precondition) => replaceRecord(storeOf(route), rules, place, body, precondition),
  });
}

export function patchRecordEndpoint<Input>(route: CollectionRoute, rules: RecordInputRules<Input>): Endpoint {
  const { example } = route.definition;
  return changeEndpoint(route, {
    method: "PATCH",
    verb: "patch",
    summary: `Changes fields of a ${route.definition.singular}`,
    description:
      "A JSON merge patch (RFC 7396): fields that are left out stay, null takes a field back to its default.",
    mediaTypes: mergePatchMediaTypes,
    schema: createRecordPatchSchema(route.definition, rules),
    example: Object.fromEntries(Object.entries(example).slice(0, 1)),
    change: async (place, body, precondition) => patchRecord(storeOf(route), rules, place, body, precondition),
  });
}

export function removeRecordEndpoint(route: CollectionRoute): Endpoint {
  const { definition } = route;
  // DELETE has no 410, because it answers 204 to a record that is already deleted.
  const { 410: _, ...missing } = recordProblems(definition.singular);
  return defineEndpoint({
    ...describeDeletion(missing),
    path: recordPath(route),
    operationId: `delete${route.singularName}`,
    summary: `Deletes a ${definition.singular}${(route.children ?? []).map((child) => ` and its ${child.definition.name}`).join("")}`,
    description: "Repeating it changes nothing and is answered in the same way.",
    tag: route.tag,
    access: { kind: "authority", authority: definition.authorities.write },
    audit: { recordType: definition.singular, verb: "delete", idParam: route.idParam },
    params: createRecordParamsSchema(route),
    headers: recordConditionalHeaders,
    checkRequest: assertWellFormedConditions,
    async handle(input) {
      await removeRecord(storeOf(route), readRecordIds(route, input.params), (stored) =>
        assertWritePreconditions(input, toRecordValidators(stored)),
      );
      return { status: 204, body: { kind: "empty" } };
    },
  });
}

interface RecordChange {
  readonly method: "PUT" | "PATCH";
  readonly verb: string;
  readonly summary: string;
  readonly description: string;
  readonly mediaTypes: readonly string[];
  readonly schema: z.ZodType;
  readonly example: unknown;
  change(
    place: ReturnType<typeof readRecordIds>,
    body: unknown,
    precondition: (stored: StoredRecord<unknown>) => void,
  ): Promise<StoredRecord<object>>;
}

function changeEndpoint(route: CollectionRoute, change: RecordChange): Endpoint {
  const { definition } = route;
  const show = createRecordSerializer(definition);
  return defineEndpoint({
    method: change.method,
    path: recordPath(route),
    operationId: `${change.verb}${route.singularName}`,
    summary: change.summary,
    description: change.description,
    tag: route.tag,
    access: { kind: "authority", authority: definition.authorities.write },
    audit: { recordType: definition.singular, verb: change.verb, idParam: route.idParam },
    params: createRecordParamsSchema(route),
    headers: recordConditionalHeaders,
    checkRequest: assertWellFormedConditions,
    body: { mediaTypes: change.mediaTypes, schema: change.schema, example: change.example },
    responses: {
      // PUT and PATCH answer 201, not the usual 200: docs/reference/http.md#methods.
      201: describeJson(`The whole ${definition.singular} as it is now.`, definition.schema, recordResponseHeaders),
      ...describeProblems({ ...recordProblems(definition.singular), ...bodyProblems }),
    },
    async handle(input) {
      const place = readRecordIds(route, input.params);
      const stored = await change.change(place, input.body, (current) =>
        assertWritePreconditions(input, toRecordValidators(current)),
      );
      return createRecordReply(201, stored, show);
    },
  });
}

function describeObservedFields({ observedFields }: Pick<RecordInputRules<unknown>, "observedFields">): string {
  if (observedFields.length === 0) return "";
  return `. Fields that probes observe (${observedFields.join(", ")}) keep their values: a body may contain them, and they are checked but not stored`;
}

const bodyProblems = {
  422: "Fields are missing, unknown, wrong or taken; all of them are listed.",
};

function recordProblems(singular: string) {
  return {
    404: `There is no such ${singular}.`,
    410: `The ${singular} was deleted.`,
    ...conditionalWriteProblems,
  };
}

function storeOf({ store, definition }: Pick<CollectionRoute, "store" | "definition">) {
  return { store, singular: definition.singular };
}

function recordPath({ path, idParam }: CollectionRoute): string {
  return `${path}/{${idParam}}`;
}
