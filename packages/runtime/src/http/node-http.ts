import type * as Http from "node:http";

/** Node's own `http`. Importing its names also loads Node's `fetch` and WebSocket client, at 13 MB and 40 ms of processor time. */
export const http: typeof Http = process.getBuiltinModule("node:http");
