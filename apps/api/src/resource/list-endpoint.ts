import { requireRecordOrThrow, type CollectionListDefinition } from "@reports/core/record";
import { defineEndpoint, type Endpoint } from "../endpoint/endpoint.ts";
import { defineListQuery } from "./list-query-parser.ts";
import { createListReply, describeList } from "./create-list-reply.ts";
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
  const shown = `The ${definition.name}, newest first unless sort says otherwise.`;
  const list = describeList(definition, query, definition.schema, shown);
  return defineEndpoint({
    ...list,
    path: route.path,
    operationId: `list${route.pluralName}`,
    summary: `Lists ${definition.name}${parent === undefined ? "" : ` of one ${parent.definition.singular}`}`,
    description: `${definition.description} ${pagingText}`,
    tag: route.tag,
    access: { kind: "authority", authority: definition.authorities.read },
    ...(parent === undefined ? {} : { params: createParentParamsSchema(parent) }),
    readQuery({ params, pairs }) {
      const parentId = readParentId(route, params);
      const path = parent === undefined ? route.path : route.path.replace(`{${parent.idParam}}`, parentId!);
      return { parentId, ...query.read(path, pairs, deps.now()) };
    },
    responses: { ...list.responses, ...createParentProblemSpecs(parent) },
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
  childRoute: CollectionRoute,
  view: CollectionListDefinition,
): Endpoint {
  const { parent: _, ...route } = childRoute;
  const { name } = route.definition;
  const definition = { ...route.definition, ...view };
  const list = listEndpoint(deps, { ...route, path: `/v1/${name}`, pluralName: toPascalCase(name), definition });
  return { ...list, summary: `Lists ${name} across all parents` };
}
