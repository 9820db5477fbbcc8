import type { z } from "zod";
import type { SortKey } from "../query/sort-key.ts";
import type { InputRules } from "./collection-input.ts";
import type { Filter } from "../query/filters.ts";

/** Fields of every record of a collection. */
export interface CollectionRecord {
  /** Lower-case UUIDv7. */
  readonly id: string;
}

/** A list of records: a collection, or its list across all parents. */
export interface CollectionView {
  readonly title: string;
  readonly description: string;
  readonly filters: readonly Filter[];
  /** Names of the fields by which callers may sort. */
  readonly sortable: readonly string[];
}

/** Definition of a collection. To add a collection, write a definition and give the API a store for it. Routes, validation, OpenAPI, the table of statuses and the permission tests follow from the definition. */
export interface CollectionDefinition<Input = unknown> extends CollectionView {
  /** The path segment: a plural noun in kebab-case. */
  readonly name: string;
  /** Name of one record in camelCase, such as `proxy`. */
  readonly singular: string;
  /** Schema of a record in responses. Other stored fields are neither read nor sent. */
  readonly schema: z.ZodObject;
  /** Rules for bodies; null if the collection is read-only. */
  readonly rules: InputRules<Input> | null;
  readonly defaultSort: readonly SortKey[];
  /** The authorities that reading and writing need. */
  readonly authorities: { readonly read: string; readonly write: string };
  /** For a sub-collection: the field that contains the parent's ID. */
  readonly parentField?: string;
  /** For a sub-collection: a read-only list at the top level of the records of all parents. */
  readonly acrossParents?: CollectionView;
  /** A body that creates a record, for the documentation. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Returns the names of a record's fields in responses, in their order. */
export function responseFields({ schema }: Pick<CollectionDefinition, "schema">): readonly string[] {
  return Object.keys(schema.shape);
}

/** Newest first. docs/reference/http.md#sorts. */
export const newestFirstSort: readonly SortKey[] = [{ key: "createdAt", descending: true }];
