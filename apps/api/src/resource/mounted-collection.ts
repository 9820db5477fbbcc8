import type { Clock, IdMaker } from "@reports/core/base";
import type { CollectionDefinition, CollectionStore } from "@reports/core/record";
import type { Tag } from "../endpoint/tag.ts";
import type { ListSlots } from "../limits/list-slots.ts";
import type { OwnedCollection } from "./owned-collection.ts";

/** A collection with the store that it is served from, and its sub-collections: all that serving it takes. */
export interface MountedCollection {
  readonly definition: CollectionDefinition;
  readonly store: CollectionStore;
  readonly children?: readonly MountedCollection[];
}

/** A collection that the API serves: with authorities for all its records, or with an owner of each. */
export type ServedCollection = MountedCollection | OwnedCollection;

/** What every endpoint of a collection needs of the deployment. */
export interface ResourceDeps {
  readonly newId: IdMaker;
  /** At which relative times of filters are meant. */
  readonly now: Clock;
  readonly basePath: string;
  readonly lists: ListSlots;
}

/** Where a collection stands among the paths. */
export interface CollectionSite extends MountedCollection {
  /** `/v1/proxies/{id}/domains`. */
  readonly path: string;
  /** The path's parameter that names one record. */
  readonly idParam: string;
  /** Of operation ids: `ProxyDomain`. */
  readonly singularName: string;
  /** `ProxyDomains`. */
  readonly pluralName: string;
  /** What its operations are grouped by. */
  readonly tag: Tag;
  readonly parent?: MountedCollection & { readonly idParam: string };
}

/** The site of a collection at the top level. */
export function topSite(collection: MountedCollection): CollectionSite {
  const { name, singular } = collection.definition;
  return {
    ...collection,
    path: `/v1/${name}`,
    idParam: "id",
    singularName: pascal(singular),
    pluralName: pascal(name),
    tag: tagOf(collection.definition),
  };
}

/** The sites of its sub-collections. */
export function childSites(parent: CollectionSite): readonly CollectionSite[] {
  return (parent.children ?? []).map((child) => ({
    ...child,
    path: `${parent.path}/{${parent.idParam}}/${child.definition.name}`,
    idParam: `${child.definition.singular}Id`,
    singularName: `${parent.singularName}${pascal(child.definition.singular)}`,
    pluralName: `${parent.singularName}${pascal(child.definition.name)}`,
    tag: tagOf(child.definition),
    parent,
  }));
}

/** Derives the group of a collection in the documentation. */
export function tagOf({
  name,
  description,
  acrossParents,
}: Pick<CollectionDefinition, "name" | "description" | "acrossParents">): Tag {
  return { name: pascal(name), description: acrossParents?.description ?? description };
}

/** `report-types` → `ReportTypes`. */
export function pascal(kebab: string): string {
  return kebab.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
