import type { Clock, IdMaker } from "@reports/core/base";
import type { CollectionDefinition, CollectionStore } from "@reports/core/record";
import type { OpenApiTag } from "../endpoint/open-api-tag.ts";
import type { ListConcurrencyLimiter } from "../limits/list-concurrency-limiter.ts";
import type { OwnedCollection } from "./owned-collection.ts";

export interface CollectionWithStore {
  readonly definition: CollectionDefinition;
  readonly store: CollectionStore;
  readonly children?: readonly CollectionWithStore[];
}

export type ServedCollection = CollectionWithStore | OwnedCollection;

export interface CollectionEndpointDeps {
  readonly newId: IdMaker;
  readonly now: Clock;
  readonly basePath: string;
  readonly lists: ListConcurrencyLimiter;
}

export interface CollectionRoute extends CollectionWithStore {
  readonly path: string;
  readonly idParam: string;
  readonly singularName: string;
  readonly pluralName: string;
  readonly tag: OpenApiTag;
  readonly parent?: CollectionWithStore & { readonly idParam: string };
}

export function toTopLevelRoute(collection: CollectionWithStore): CollectionRoute {
  const { name, singular } = collection.definition;
  return {
    ...collection,
    path: `/v1/${name}`,
    idParam: "id",
    singularName: toPascalCase(singular),
    pluralName: toPascalCase(name),
    tag: toOpenApiTag(collection.definition),
  };
}

export function toChildRoutes(parent: CollectionRoute): readonly CollectionRoute[] {
  return (parent.children ?? []).map((child) => ({
    ...child,
    path: `${parent.path}/{${parent.idParam}}/${child.definition.name}`,
    idParam: `${child.definition.singular}Id`,
    singularName: `${parent.singularName}${toPascalCase(child.definition.singular)}`,
    pluralName: `${parent.singularName}${toPascalCase(child.definition.name)}`,
    tag: toOpenApiTag(child.definition),
    parent,
  }));
}

export function toOpenApiTag({
  name,
  description,
  acrossParents,
}: Pick<CollectionDefinition, "name" | "description" | "acrossParents">): OpenApiTag {
  return { name: toPascalCase(name), description: acrossParents?.description ?? description };
}

export function toPascalCase(kebab: string): string {
  return kebab.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
