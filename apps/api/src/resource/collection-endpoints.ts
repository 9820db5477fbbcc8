import type { Endpoint } from "../endpoint/endpoint.ts";
import { acrossParentsEndpoint, listEndpoint } from "./list-endpoint.ts";
import {
  childSites,
  topSite,
  type CollectionSite,
  type ResourceDeps,
  type ServedCollection,
} from "./mounted-collection.ts";
import { ownedEndpoints } from "./owned-endpoints.ts";
import {
  createRecordEndpoint,
  patchRecordEndpoint,
  readRecordEndpoint,
  removeRecordEndpoint,
  replaceRecordEndpoint,
} from "./record-endpoints.ts";

export function collectionEndpoints(deps: ResourceDeps, collections: readonly ServedCollection[]): readonly Endpoint[] {
  return collections.flatMap((collection) =>
    "records" in collection ? ownedEndpoints(deps, collection) : mountedEndpoints(deps, topSite(collection)),
  );
}

function mountedEndpoints(deps: ResourceDeps, site: CollectionSite): readonly Endpoint[] {
  return [
    ...siteEndpoints(deps, site),
    ...childSites(site).flatMap((child) => [
      ...siteEndpoints(deps, child),
      ...(child.definition.acrossParents === undefined
        ? []
        : [acrossParentsEndpoint(deps, child, child.definition.acrossParents)]),
    ]),
  ];
}

function siteEndpoints(deps: ResourceDeps, site: CollectionSite): readonly Endpoint[] {
  const { rules } = site.definition;
  const reading = [listEndpoint(deps, site), readRecordEndpoint(site)];
  if (rules === null) return reading;
  return [
    ...reading,
    createRecordEndpoint(deps, site, rules),
    replaceRecordEndpoint(site, rules),
    patchRecordEndpoint(site, rules),
    removeRecordEndpoint(site),
  ];
}
