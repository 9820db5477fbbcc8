import type { CallOptions, StartOptions, WriteOptions } from "./call-options.ts";
import { createList, formatQueryString, type List } from "./list.ts";
import { discardResponseBody, readJsonAndHeaders, readJsonResponse } from "./transport/response.ts";
import type { GatewayRequest, Transport } from "./transport/send.ts";

/** Sends requests to one path of the API. `Result` is the type of a response, which the caller names and nothing checks. */
export interface ResourceClient {
  /** Sends a request. `read` parses the response, by default as JSON. */
  send<Result>(
    method: GatewayRequest["method"],
    options?: WriteOptions,
    more?: Pick<GatewayRequest, "accepts" | "body" | "headers" | "query">,
    read?: (response: Response) => Promise<Result>,
  ): Promise<Result>;
  /** Sends a GET. Joins several values of a parameter in `query` with commas, as the query of a start does. */
  get<Result>(options?: CallOptions, query?: object): Promise<Result>;
  list<Item>(query?: object, options?: CallOptions): List<Item>;
  post<Result>(body: object, options?: CallOptions): Promise<Result>;
  start<Started>(body: object, options?: StartOptions): Promise<Started>;
  patch<Result>(body: object, options?: WriteOptions): Promise<Result>;
  remove(options?: WriteOptions): Promise<void>;
}

export function createResourceClientFactory(
  transport: Transport,
  ...root: readonly string[]
): (...parts: readonly string[]) => ResourceClient {
  return (...parts) => {
    const path = [...root, ...parts];
    const send: ResourceClient["send"] = async (
      method,
      { signal, onRetry, ifMatch } = {},
      { headers, ...more } = {},
      read = readJsonResponse,
    ) => {
      const all = { ...headers, ...(ifMatch !== undefined && { "If-Match": ifMatch }) };
      return transport.send({ method, path, signal, onRetry, headers: all, ...more }, read);
    };
    return {
      send,
      get: async (options, query = {}) => send("GET", options, { query: formatQueryString(query, true) }),
      list: <Item>(query?: object, options?: CallOptions) =>
        createList(query, async (text) => send("GET", options, { query: text }, readJsonAndHeaders<readonly Item[]>)),
      post: async (body, options) => send("POST", options, { body }),
      // The idempotency key has 128 random bits. `crypto.randomUUID` does not exist on pages that were loaded over http.
      start: async (body, { idempotencyKey = crypto.getRandomValues(new Uint32Array(4)).join("-"), ...options } = {}) =>
        send("POST", options, { body, headers: { "Idempotency-Key": idempotencyKey } }),
      patch: async (body, options) => send("PATCH", options, { body }),
      remove: async (options) => send("DELETE", options, {}, discardResponseBody),
    };
  };
}
