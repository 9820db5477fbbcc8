import type { Endpoint } from "../endpoint/endpoint.ts";
import { listAcrossParentsEndpoint, listEndpoint } from "./list-endpoint.ts";
import {
  toChildRoutes,
  toTopLevelRoute,
  type CollectionRoute,
  type CollectionEndpointDeps,
  type ServedCollection,
} from "./collection-with-store.ts";
import { ownedEndpoints } from "./owned-endpoints.ts";
import {
  createRecordEndpoint,
  patchRecordEndpoint,
  readRecordEndpoint,
  removeRecordEndpoint,
  replaceRecordEndpoint,
} from "./record-endpoints.ts";

export function collectionEndpoints(
  deps: CollectionEndpointDeps,
  collections: readonly ServedCollection[],
): readonly Endpoint[] {
  return collections.flatMap((collection) =>
    "records" in collection ? ownedEndpoints(deps, collection) : endpointsBelow(deps, toTopLevelRoute(collection)),
  );
}

function endpointsBelow(deps: CollectionEndpointDeps, route: CollectionRoute): readonly Endpoint[] {
  return [
    ...routeEndpoints(deps, route),
    ...toChildRoutes(route).flatMap((child) => [
      ...routeEndpoints(deps, child),
      ...(child.definition.acrossParents === undefined
        ? []
        : [listAcrossParentsEndpoint(deps, child, child.definition.acrossParents)]),
    ]),
  ];
}

function routeEndpoints(deps: CollectionEndpointDeps, route: CollectionRoute): readonly Endpoint[] {
  const { rules } = route.definition;
  const reading = [listEndpoint(deps, route), readRecordEndpoint(route)];
  if (rules === null) return reading;
  return [
    ...reading,
    createRecordEndpoint(deps, route, rules),
    replaceRecordEndpoint(route, rules),
    patchRecordEndpoint(route, rules),
    removeRecordEndpoint(route),
  ];
}
