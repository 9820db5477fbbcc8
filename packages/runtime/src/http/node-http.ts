import type * as Http from "node:http";

/** Node's `http` module. An import by name would also load `fetch` and a WebSocket client, which cost 13 MB and 40 ms of processor time. */
export const nodeHttp: typeof Http = process.getBuiltinModule("node:http");
