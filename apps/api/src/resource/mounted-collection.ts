import type { Clock, IdMaker } from "@reports/core/base";
import type { CollectionDefinition, CollectionStore } from "@reports/core/record";
import type { Tag } from "../endpoint/tag.ts";
import type { ListLimiter } from "../limits/list-limiter.ts";
import type { OwnedCollection } from "./owned-collection.ts";

export interface MountedCollection {
  readonly definition: CollectionDefinition;
  readonly store: CollectionStore;
  readonly children?: readonly MountedCollection[];
}

export type ServedCollection = MountedCollection | OwnedCollection;

export interface CollectionEndpointDeps {
  readonly newId: IdMaker;
  readonly now: Clock;
  readonly basePath: string;
  readonly lists: ListLimiter;
}

export interface CollectionRoute extends MountedCollection {
  readonly path: string;
  readonly idParam: string;
  readonly singularName: string;
  readonly pluralName: string;
  readonly tag: Tag;
  readonly parent?: MountedCollection & { readonly idParam: string };
}

export function toTopLevelRoute(collection: MountedCollection): CollectionRoute {
  const { name, singular } = collection.definition;
  return {
    ...collection,
    path: `/v1/${name}`,
    idParam: "id",
    singularName: toPascalCase(singular),
    pluralName: toPascalCase(name),
    tag: toDocumentationTag(collection.definition),
  };
}

export function toChildRoutes(parent: CollectionRoute): readonly CollectionRoute[] {
  return (parent.children ?? []).map((child) => ({
    ...child,
    path: `${parent.path}/{${parent.idParam}}/${child.definition.name}`,
    idParam: `${child.definition.singular}Id`,
    singularName: `${parent.singularName}${toPascalCase(child.definition.singular)}`,
    pluralName: `${parent.singularName}${toPascalCase(child.definition.name)}`,
    tag: toDocumentationTag(child.definition),
    parent,
  }));
}

export function toDocumentationTag({
  name,
  description,
  acrossParents,
}: Pick<CollectionDefinition, "name" | "description" | "acrossParents">): Tag {
  return { name: toPascalCase(name), description: acrossParents?.description ?? description };
}

export function toPascalCase(kebab: string): string {
  return kebab.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
