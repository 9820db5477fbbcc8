import type { CallOptions } from "./call-options.ts";
import { listOf, type List } from "./list.ts";
import { jsonOf } from "./transport/answer.ts";
import { remove } from "./transport/call.ts";
import type { GatewayRequest, Transport } from "./transport/send.ts";
import type { Patch } from "./wire/register.ts";

/** A record and its version. */
export interface Stored<Item> {
  readonly record: Item;
  /** For `ifMatch`. docs/contract.md §6.3. */
  readonly etag: string;
}

/** What a write takes. */
export interface WriteOptions extends CallOptions {
  /** The entity tag of the version that was read: where it is not the current one any more, the write is refused with 412. */
  readonly ifMatch?: string | undefined;
}

/** Records of one kind. docs/contract.md §6. */
export interface Collection<Item, Input, Query> {
  list(query?: Query, options?: CallOptions): List<Item>;
  get(id: string, options?: CallOptions): Promise<Stored<Item>>;
  /** Is not tried again, because a record may be there although the answer was lost. */
  create(input: Input, options?: CallOptions): Promise<Stored<Item>>;
  /** Optional fields that are left out go back to their defaults. */
  replace(id: string, input: Input, options?: WriteOptions): Promise<Stored<Item>>;
  /** Null takes a field back to its default. */
  patch(id: string, changes: Patch<Item>, options?: WriteOptions): Promise<Stored<Item>>;
  /** Succeeds, too, where it is deleted already. */
  remove(id: string, options?: WriteOptions): Promise<void>;
}

/** The collection under a path. */
export function collectionOf<Item, Input, Query extends object>(
  transport: Transport,
  path: readonly string[],
): Collection<Item, Input, Query> {
  const write = async (
    method: GatewayRequest["method"],
    at: readonly string[],
    body: unknown,
    { ifMatch, signal }: WriteOptions = {},
  ): Promise<Stored<Item>> =>
    transport.send({ method, path: at, body, headers: condition(ifMatch), signal }, storedOf<Item>);
  return {
    list: (query, options) => listOf<Item>(transport, path, query, options),
    get: async (id, { signal } = {}) => transport.send({ method: "GET", path: [...path, id], signal }, storedOf<Item>),
    create: async (input, options) => write("POST", path, input, options),
    replace: async (id, input, options) => write("PUT", [...path, id], input, options),
    patch: async (id, changes, options) => write("PATCH", [...path, id], changes, options),
    remove: async (id, options) => remove(transport, [...path, id], options, condition(options?.ifMatch)),
  };
}

async function storedOf<Item>(answer: Response): Promise<Stored<Item>> {
  return { record: await jsonOf<Item>(answer), etag: answer.headers.get("ETag") ?? "" };
}

function condition(ifMatch: string | undefined): Readonly<Record<string, string>> {
  return ifMatch === undefined ? {} : { "If-Match": ifMatch };
}
