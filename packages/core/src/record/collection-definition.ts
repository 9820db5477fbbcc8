import type { z } from "zod";
import type { SortKey } from "../query/sort-key.ts";
import type { RecordInputRules } from "./collection-input.ts";
import type { Filter } from "../query/filters.ts";

export interface CollectionRecord {
  readonly id: string;
}

export interface CollectionListDefinition {
  readonly title: string;
  readonly description: string;
  readonly filters: readonly Filter[];
  readonly sortable: readonly string[];
}

/** Definition of a collection. From this definition and a store, the API derives routes, checks and OpenAPI of a new collection. */
export interface CollectionDefinition<Input = unknown> extends CollectionListDefinition {
  readonly name: string;
  readonly singular: string;
  /** Schema of a record in responses. Stored fields that it lacks are neither read nor sent. */
  readonly schema: z.ZodObject;
  /** Rules for request bodies; null if the collection is read-only. */
  readonly rules: RecordInputRules<Input> | null;
  readonly defaultSort: readonly SortKey[];
  readonly authorities: { readonly read: string; readonly write: string };
  /** Field that contains the ID of the parent record. Only for a sub-collection, such as the domains of a proxy. */
  readonly parentField?: string;
  /** Read-only list of the records of all parents, at the top level. Only for a sub-collection. */
  readonly acrossParents?: CollectionListDefinition;
  readonly example: Readonly<Record<string, unknown>>;
}

export function listResponseFieldNames({ schema }: Pick<CollectionDefinition, "schema">): readonly string[] {
  return Object.keys(schema.shape);
}

export const newestFirstSort: readonly SortKey[] = [{ key: "createdAt", descending: true }];
