import { findRecord, type CollectionView } from "@reports/core";
import { z } from "zod";
import { defineEndpoint, problems, type Endpoint } from "../endpoint/endpoint.ts";
import { listNamesOf, listQuerySchema, parseListQuery } from "./list-query.ts";
import { listReply, listResponse } from "./list-reply.ts";
import type { CollectionSite, ResourceDeps } from "./mounted-collection.ts";
import { parentIdOf, showRecordOf } from "./record-resource.ts";

const listProblems = {
  400: "A parameter is unknown, repeated or wrong, or the cursor belongs to another list.",
  401: "Credentials are missing or wrong.",
  403: "The caller lacks the authority to read these records.",
  406: "Accept does not allow JSON.",
  503: "The database cannot be reached.",
};

/** `GET /{collection}`, of a parent where it has one. */
export function listEndpoint(deps: ResourceDeps, site: CollectionSite): Endpoint {
  const { definition, store, parent } = site;
  const show = showRecordOf(definition);
  return defineEndpoint({
    method: "GET",
    path: site.path,
    operationId: `list${site.pluralName}`,
    summary: definition.description,
    access: { kind: "authority", authority: definition.authorities.read },
    ...(parent === undefined ? {} : { params: z.object({ [parent.idParam]: z.uuidv7() }) }),
    query: listQuerySchema(definition),
    list: listNamesOf(definition),
    checksOwnQuery: true,
    produces: ["application/json"],
    responses: {
      200: listResponse(definition.schema, `The ${definition.name}, newest first unless sort says otherwise.`),
      ...problems(listProblems),
      ...(parent === undefined
        ? {}
        : problems({
            404: `There is no such ${parent.definition.singular}.`,
            410: `The ${parent.definition.singular} was deleted.`,
          })),
    },
    async handle({ params, pairs }) {
      const parentId = parentIdOf(site, params);
      const path = parent === undefined ? site.path : site.path.replace(`{${parent.idParam}}`, parentId!);
      const { scope, ...query } = parseListQuery(definition, path, pairs);
      if (parent !== undefined)
        await findRecord(
          { store: parent.store, singular: parent.definition.singular },
          { id: parentId!, parentId: null },
        );
      const page = await store.list({ ...query, parentId });
      return listReply(page, { scope, pairs, basePath: deps.basePath }, show);
    },
  });
}

/** `GET /{sub_collection}` over the records of all parents, read only. */
export function acrossParentsEndpoint(deps: ResourceDeps, site: CollectionSite, view: CollectionView): Endpoint {
  const { definition, store } = site;
  const show = showRecordOf(definition);
  const path = `/v1/${definition.name}`;
  const listView = { ...view, defaultSort: definition.defaultSort };
  return defineEndpoint({
    method: "GET",
    path,
    operationId: `list${definition.name.charAt(0).toUpperCase()}${definition.name.slice(1)}`,
    summary: view.description,
    access: { kind: "authority", authority: definition.authorities.read },
    query: listQuerySchema(listView),
    list: listNamesOf(listView),
    checksOwnQuery: true,
    produces: ["application/json"],
    responses: {
      200: listResponse(definition.schema, `The ${definition.name}, newest first unless sort says otherwise.`),
      ...problems(listProblems),
    },
    async handle({ pairs }) {
      const { scope, ...query } = parseListQuery(listView, path, pairs);
      const page = await store.list({ ...query, parentId: null });
      return listReply(page, { scope, pairs, basePath: deps.basePath }, show);
    },
  });
}
