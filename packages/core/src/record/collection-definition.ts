import type { z } from "zod";
import type { SortKey } from "../query/sort-key.ts";
import type { InputRules } from "./collection-input.ts";
import type { Filter } from "../query/filters.ts";

/** What every record of a collection has. */
export interface CollectionRecord {
  /** Lower-case UUIDv7. */
  readonly id: string;
}

/** How records are found: the same for a collection and for its view across parents. */
export interface CollectionView {
  readonly title: string;
  readonly description: string;
  readonly filters: readonly Filter[];
  /** Names of the fields by which callers may sort. */
  readonly sortable: readonly string[];
}

/**
 * A collection, whole: adding one is writing one of these and giving the API a store for it. Routes, checks, OpenAPI,
 * the table of statuses and the permission tests follow from it; none of them knows a collection by name.
 */
export interface CollectionDefinition<Input = unknown> extends CollectionView {
  /** The path segment: a plural noun in kebab-case. */
  readonly name: string;
  /** What one record is called, in camelCase: `proxy`. */
  readonly singular: string;
  /** One record as callers see it, in JSON. Whatever else a store holds is not read for an answer and not sent. */
  readonly schema: z.ZodObject;
  /** How records are written; null for a collection that is read only. */
  readonly rules: InputRules<Input> | null;
  readonly defaultSort: readonly SortKey[];
  /** The authorities that reading and writing need. */
  readonly authorities: { readonly read: string; readonly write: string };
  /** The field that holds the parent's id, of a sub-collection. */
  readonly parentField?: string;
  /** A further list at the top level, over the records of all parents; read only. */
  readonly acrossParents?: CollectionView;
  /** A body that creates a record, for the documentation. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** The fields of a record that callers see, in the order in which they see them. */
export function responseFields({ schema }: Pick<CollectionDefinition, "schema">): readonly string[] {
  return Object.keys(schema.shape);
}

/** Newest first. docs/reference/http.md#sorts. */
export const newestFirst: readonly SortKey[] = [{ key: "createdAt", descending: true }];
