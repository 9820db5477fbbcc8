import type * as Http from "node:http";

/**
 * Node's own `http`. An import of its names also loads Node's `fetch` and WebSocket client, which cost a process 13 MB and 40 ms of a processor.
 */
export const http: typeof Http = process.getBuiltinModule("node:http");
