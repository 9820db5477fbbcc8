import type { CallOptions, WriteOptions } from "./call-options.ts";
import type { List } from "./list.ts";
import { createResourceClientFactory } from "./resource-client.ts";
import { readJsonAndHeaders } from "./transport/response.ts";
import type { Transport } from "./transport/send.ts";

/** A record and the entity tag of its version. */
export interface Stored<Item> {
  readonly record: Item;
  /** The value for `ifMatch` of a later write. docs/reference/http.md#entity-tags-and-conditions. */
  readonly etag: string;
}

/** The changes of a record, as a merge patch (RFC 7396). Null resets a field to its default. */
export type Patch<Item> = { readonly [Field in keyof Item]?: Item[Field] | null | undefined };

/** Reads and writes the records of one kind, such as proxies. docs/reference/http.md. */
export interface Collection<Item, Input, Query> {
  list(query?: Query, options?: CallOptions): List<Item>;
  get(id: string, options?: CallOptions): Promise<Stored<Item>>;
  /** Creates a record. The client does not retry this request: if only the response was lost, a retry would create a second record. */
  create(input: Input, options?: CallOptions): Promise<Stored<Item>>;
  /** Replaces a record. Omitted optional fields are reset to their defaults. */
  replace(id: string, input: Input, options?: WriteOptions): Promise<Stored<Item>>;
  /** Changes fields of a record. Null resets a field to its default. */
  patch(id: string, changes: Patch<Item>, options?: WriteOptions): Promise<Stored<Item>>;
  /** Deletes a record. Succeeds if the record is already deleted. */
  remove(id: string, options?: WriteOptions): Promise<void>;
}

export function createCollectionMethods<Item, Input extends object, Query extends object>(
  transport: Transport,
  ...path: readonly string[]
): Collection<Item, Input, Query> {
  const at = createResourceClientFactory(transport, ...path);
  return {
    list: at().list,
    get: async (id, options) => at(id).send("GET", options, {}, readStored<Item>),
    create: async (body, options) => at().send("POST", options, { body }, readStored<Item>),
    replace: async (id, body, options) => at(id).send("PUT", options, { body }, readStored<Item>),
    patch: async (id, body, options) => at(id).send("PATCH", options, { body }, readStored<Item>),
    remove: async (id, options) => at(id).remove(options),
  };
}

export async function readStored<Item>(response: Response): Promise<Stored<Item>> {
  const [record, headers] = await readJsonAndHeaders<Item>(response);
  return { record, etag: headers.get("ETag") ?? "" };
}

export function createPauseAndResumeMethods<Paused>(
  patch: (id: string, change: { readonly status: string }, options?: CallOptions) => Promise<Paused>,
) {
  const setStatus = (status: string) => async (id: string, options?: CallOptions) => patch(id, { status }, options);
  return { pause: setStatus("PAUSED"), resume: setStatus("ACTIVE") };
}
