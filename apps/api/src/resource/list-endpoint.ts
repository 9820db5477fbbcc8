import { requireRecordOrThrow, type CollectionListDefinition } from "@reports/core/record";
import { defineEndpoint, createProblemResponseSpecs, type Endpoint } from "../endpoint/endpoint.ts";
import { defineListQuery, toFilterAndSortNames } from "./list-query-parser.ts";
import { problemDescriptionsOfLists, createListReply, describeListResponse } from "./create-list-reply.ts";
import { toPascalCase, type CollectionRoute, type CollectionEndpointDeps } from "./collection-with-store.ts";
import {
  readParentId,
  createParentParamsSchema,
  createParentProblemSpecs,
  createRecordSerializer,
} from "./record-resource.ts";

const pagingText =
  "All filters must match; of several values of one filter, any may match. Link leads to the next page.";

export function listEndpoint(deps: CollectionEndpointDeps, route: CollectionRoute): Endpoint {
  const { definition, store, parent } = route;
  const show = createRecordSerializer(definition);
  const query = defineListQuery(definition, route.pluralName);
  return defineEndpoint({
    method: "GET",
    path: route.path,
    operationId: `list${route.pluralName}`,
    summary: `Lists ${definition.name}${parent === undefined ? "" : ` of one ${parent.definition.singular}`}`,
    description: `${definition.description} ${pagingText}`,
    tag: route.tag,
    access: { kind: "authority", authority: definition.authorities.read },
    ...(parent === undefined ? {} : { params: createParentParamsSchema(parent) }),
    query: query.schema,
    list: toFilterAndSortNames(definition),
    readQuery({ params, pairs }) {
      const parentId = readParentId(route, params);
      const path = parent === undefined ? route.path : route.path.replace(`{${parent.idParam}}`, parentId!);
      return { parentId, ...query.read(path, pairs, deps.now()) };
    },
    produces: ["application/json"],
    responses: {
      200: describeListResponse(definition.schema, `The ${definition.name}, newest first unless sort says otherwise.`),
      ...createProblemResponseSpecs(problemDescriptionsOfLists),
      ...createParentProblemSpecs(parent),
    },
    async handle({ query: { parentId, scope, ...page }, principal, signal }) {
      if (parent !== undefined)
        await requireRecordOrThrow(
          { store: parent.store, singular: parent.definition.singular },
          { id: parentId!, parentId: null },
        );
      const found = await deps.lists.run(principal.id, signal, async () => store.list({ ...page, parentId }, signal));
      return createListReply(found, { scope, basePath: deps.basePath }, show);
    },
  });
}

export function listAcrossParentsEndpoint(
  deps: CollectionEndpointDeps,
  route: CollectionRoute,
  view: CollectionListDefinition,
): Endpoint {
  const { definition, store } = route;
  const show = createRecordSerializer(definition);
  const path = `/v1/${definition.name}`;
  const pluralName = toPascalCase(definition.name);
  const listView = { ...view, defaultSort: definition.defaultSort };
  const query = defineListQuery(listView, pluralName);
  return defineEndpoint({
    method: "GET",
    path,
    operationId: `list${pluralName}`,
    summary: `Lists ${definition.name} across all parents`,
    description: `${view.description} ${pagingText}`,
    tag: route.tag,
    access: { kind: "authority", authority: definition.authorities.read },
    query: query.schema,
    list: toFilterAndSortNames(listView),
    readQuery: ({ pairs }) => query.read(path, pairs, deps.now()),
    produces: ["application/json"],
    responses: {
      200: describeListResponse(definition.schema, `The ${definition.name}, newest first unless sort says otherwise.`),
      ...createProblemResponseSpecs(problemDescriptionsOfLists),
    },
    async handle({ query: { scope, ...page }, principal, signal }) {
      const found = await deps.lists.run(principal.id, signal, async () =>
        store.list({ ...page, parentId: null }, signal),
      );
      return createListReply(found, { scope, basePath: deps.basePath }, show);
    },
  });
}
