import { mergePatchMediaTypes } from "@reports/core/base";
import {
  defineEndpoint,
  describeDeletion,
  describeJson,
  describeProblems,
  noStore,
  replyJson,
  type Endpoint,
} from "../endpoint/endpoint.ts";
import type { AccessRule } from "../endpoint/access-rule.ts";
import { toOwnerFilter } from "../endpoint/owned-record-kind.ts";
import {
  conditionalReadProblems,
  conditionalWriteProblems,
  isNotModified,
  conditionalReadHeaders,
  assertWritePreconditions,
  conditionalWrite,
} from "../http/precondition.ts";
import { replaceMeByPrincipalId } from "../http/query.ts";
import { defineListQuery } from "./list-query-parser.ts";
import { createListReply, describeList } from "./create-list-reply.ts";
import type { CollectionEndpointDeps } from "./collection-with-store.ts";
import type { OwnedUpdateOperation, OwnedCollection, OwnedRecordWithId } from "./owned-collection.ts";

type OwnedEndpointDeps = Omit<CollectionEndpointDeps, "newId">;

const jsonMediaTypes = ["application/json"];
const revalidationHeaders = { "Cache-Control": "private, no-cache" };

export function ownedEndpoints(deps: OwnedEndpointDeps, collection: OwnedCollection): readonly Endpoint[] {
  const { replace, patch } = collection;
  return [
    listEndpoint(deps, collection),
    createEndpoint(deps, collection),
    readEndpoint(collection),
    ...(replace === undefined ? [] : [changeEndpoint(collection, replace, { method: "PUT", verb: "replace" })]),
    changeEndpoint(collection, patch, { method: "PATCH", verb: "patch" }),
    removeEndpoint(collection),
  ];
}

function listEndpoint(deps: OwnedEndpointDeps, collection: OwnedCollection): Endpoint {
  const { operation, records, view, list } = collection;
  const path = collectionPath(collection);
  const query = defineListQuery(view, `${operation}s`);
  return defineEndpoint({
    ...describeList(view, query, collection.schema, `The ${records.singular}s.`),
    path,
    operationId: `list${operation}s`,
    summary: list.summary,
    description: list.description,
    tag: collection.tag,
    access: collectionAccess(collection),
    readQuery: ({ pairs, principal }) =>
      query.read(path, replaceMeByPrincipalId(pairs, "owner", principal.id), deps.now()),
    async handle({ query: { scope, ...asked }, principal, signal }) {
      const owner = toOwnerFilter(principal);
      const page = await deps.lists.run(principal.id, signal, async () => list.page({ ...asked, owner }, signal));
      const items: object[] = [];
      // The records are converted one after the other. A single record may need much processor time, for example for run times, so other requests
      // run in between.
      for (const record of page.items) items.push(await collection.show(record, principal));
      return createListReply({ ...page, items }, { scope, basePath: deps.basePath }, (item) => item);
    },
  });
}

function createEndpoint({ basePath }: OwnedEndpointDeps, collection: OwnedCollection): Endpoint {
  const { records, create } = collection;
  const { singular } = records;
  const path = collectionPath(collection);
  const caching = create.answer === undefined ? revalidationHeaders : noStore;
  return defineEndpoint({
    method: "POST",
    path,
    operationId: `create${collection.operation}`,
    summary: create.summary,
    description: create.description,
    tag: collection.tag,
    access: create.access ?? collectionAccess(collection),
    audit: { recordType: singular, verb: "create" },
    body: { mediaTypes: jsonMediaTypes, ...create.body },
    responses: {
      201: describeJson(
        create.answer?.description ?? `The new ${singular}.`,
        create.answer?.schema ?? collection.schema,
        { ETag: collection.etag, ...caching, Location: `The new ${singular}.` },
      ),
      ...describeProblems({ 422: create.invalid }),
    },
    async handle(input) {
      const { record, shownOnce } = await create.apply(input);
      const reply = await createRecordReply(201, collection, record, input);
      return {
        ...reply,
        headers: { ...reply.headers, ...caching, Location: `${basePath}${path}/${record.id}` },
        body: { kind: "json", value: { ...reply.body.value, ...shownOnce } },
        audit: { recordId: record.id, ...records.auditOf?.(record) },
      };
    },
  });
}

function readEndpoint(collection: OwnedCollection): Endpoint {
  const { records, read } = collection;
  const headers = recordHeaders(collection);
  return defineEndpoint({
    method: "GET",
    path: `${collectionPath(collection)}/{id}`,
    operationId: `read${collection.operation}`,
    summary: read.summary,
    description: read.description,
    tag: collection.tag,
    access: { kind: "record", of: records },
    headers: conditionalReadHeaders,
    responses: {
      200: describeJson(`The ${records.singular}.`, collection.schema, headers),
      304: { kind: "empty", description: "It has not changed.", headers },
      ...describeProblems(conditionalReadProblems),
    },
    async handle(input) {
      const record: OwnedRecordWithId = input.record;
      const reply = await createRecordReply(200, collection, record, input);
      const isKnown = isNotModified(input, collection.toValidators(record));
      return isKnown ? { ...reply, status: 304, body: { kind: "empty" } } : reply;
    },
  });
}

function changeEndpoint(
  collection: OwnedCollection,
  change: OwnedUpdateOperation<OwnedRecordWithId>,
  { method, verb }: { readonly method: "PUT" | "PATCH"; readonly verb: string },
): Endpoint {
  const { records, change: shared } = collection;
  return defineEndpoint({
    method,
    path: `${collectionPath(collection)}/{id}`,
    operationId: `${verb}${collection.operation}`,
    summary: change.summary,
    description: change.description,
    tag: collection.tag,
    access: { kind: "record", of: records },
    audit: { recordType: records.singular, verb },
    ...conditionalWrite,
    body: { mediaTypes: method === "PUT" ? jsonMediaTypes : mergePatchMediaTypes, ...change.body },
    responses: {
      // PUT and PATCH answer 201, not the usual 200: docs/reference/http.md#methods.
      201: describeJson(shared.answer, collection.schema, recordHeaders(collection)),
      ...describeProblems({
        ...(shared.forbidden === undefined ? {} : { 403: shared.forbidden }),
        ...conditionalWriteProblems,
        422: shared.invalid,
      }),
    },
    async handle(input) {
      const { record, audit = {} } = await change.apply(input, (stored) =>
        assertWritePreconditions(input, collection.toValidators(stored)),
      );
      return { ...(await createRecordReply(201, collection, record, input)), audit };
    },
  });
}

function removeEndpoint(collection: OwnedCollection): Endpoint {
  const { records, remove } = collection;
  return defineEndpoint({
    ...describeDeletion(conditionalWriteProblems),
    path: `${collectionPath(collection)}/{id}`,
    operationId: `delete${collection.operation}`,
    summary: remove.summary,
    description: remove.description,
    tag: collection.tag,
    access: { kind: "record", of: records, acceptsDeleted: true },
    audit: { recordType: records.singular, verb: "delete" },
    ...conditionalWrite,
    async handle(input) {
      await remove.apply(input.record, (stored) => assertWritePreconditions(input, collection.toValidators(stored)));
      return { status: 204, body: { kind: "empty" } };
    },
  });
}

async function createRecordReply(
  status: number,
  collection: OwnedCollection,
  record: OwnedRecordWithId,
  { principal }: { readonly principal: Parameters<OwnedCollection["show"]>[1] },
) {
  const headers = { ETag: collection.toValidators(record).etag, ...revalidationHeaders };
  return replyJson(await collection.show(record, principal), status, headers);
}

function recordHeaders({ etag }: OwnedCollection): Readonly<Record<string, string>> {
  return { ETag: etag, ...revalidationHeaders };
}

function collectionAccess({ records: { authority } }: OwnedCollection): AccessRule {
  return authority === undefined ? { kind: "authenticated" } : { kind: "authority", authority };
}

function collectionPath({ name }: OwnedCollection): string {
  return `/v1/${name}`;
}
