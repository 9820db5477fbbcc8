import { createServer, STATUS_CODES } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "@reports/runtime";
import { admitProbes } from "./limits/admit-probes.ts";
import { dropSlowReaders } from "./limits/slow-readers.ts";
import type { SlowReaderLimits } from "./limits/slow-readers.ts";
import { shareConnections } from "./limits/share-connections.ts";
import type { ConnectionLimits, RefusalReason } from "./limits/share-connections.ts";
import { serialisePipelined } from "./limits/serialise-pipelined.ts";
import { securityHeaders } from "./middleware/security-headers.ts";
import { HttpProblem, problemDocument, toProblemReply } from "./problem.ts";

/** Bounds of one server. Tests make the times shorter. */
export interface ServerLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Without a byte in either direction, such as a download that nobody reads any more. */
  readonly idleTimeoutMs: number;
  readonly slowReaders: SlowReaderLimits;
  readonly connections: ConnectionLimits;
}

const defaults: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 120_000,
  slowReaders: { bytesPerSecond: 1_024, patienceMs: 60_000 },
  connections: { total: 2_000, perAddress: 200, reserved: 50, reservedMs: 10_000 },
};
/** URL and headers together. docs/contract.md §7.5. */
const maxHeaderBytes = 16 * 1024;

/** Makes the HTTP server around the listener: slow callers are dropped, and what is no request is answered with a problem too. */
export function createHttpServer(
  listener: RequestListener,
  deps: {
    readonly newId: () => string;
    readonly basePath: string;
    readonly limits?: Partial<ServerLimits>;
    readonly logger?: Logger;
    readonly onRefusedConnection?: (reason: RefusalReason) => void;
    /** Health and metrics are served and nothing else. */
    readonly servesProbesOnly?: boolean;
    /** While it is false, health and metrics alone are served. Default: true from the beginning. */
    readonly hasStarted?: () => boolean;
  },
): Server {
  const limits = { ...defaults, ...deps.limits };
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: 65_000,
    // Node's own refusal has no body; ours is in refuseAmbiguousRequest.
    requireHostHeader: false,
  });
  const isReserved = shareConnections(server, limits.connections, (reason) => deps.onRefusedConnection?.(reason));
  const admitted = admitProbes(
    listener,
    ({ socket }) => {
      if (deps.servesProbesOnly === true) return "probes";
      if (isReserved(socket)) return "reserved";
      return deps.hasStarted?.() === false ? "starting" : "open";
    },
    deps,
  );
  const serialised = serialisePipelined(server, admitted);
  server.on("request", serialised);
  server.setTimeout(limits.idleTimeoutMs);
  dropSlowReaders(server, limits.slowReaders, (dropped) => deps.logger?.info("slow reader dropped", dropped));
  server.on("clientError", (error: Error & { code?: string }, socket) => refuse(error, socket, deps));
  // What Node does by itself is an empty 417 here, and no answer at all there. Nobody has to know an expectation. RFC 9110 §10.1.1.
  server.on("checkExpectation", serialised);
  server.on("connect", (_request, socket) => refuse(new Error("CONNECT is not supported."), socket, deps));
  return server;
}

function refuse(
  error: Error & { code?: string },
  socket: Duplex,
  deps: { readonly newId: () => string; readonly basePath: string },
): void {
  if (!socket.writable || error.code === "ECONNRESET" || hasAnswered(socket)) {
    socket.destroy();
    return;
  }
  const problem = unreadable(error.code);
  const requestId = deps.newId();
  const body = JSON.stringify(
    problemDocument(toProblemReply(problem), { instance: "", requestId, basePath: deps.basePath }),
  );
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(securityHeaders).map(([name, value]) => `${name}: ${value}`),
    "Cache-Control: no-store",
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Whether a response is on its way on this connection already: then a second one would be read as its body. */
function hasAnswered(socket: Duplex): boolean {
  const response: unknown = "_httpMessage" in socket ? socket._httpMessage : undefined;
  return (
    typeof response === "object" && response !== null && "headersSent" in response && response.headersSent === true
  );
}

function unreadable(code: string | undefined): HttpProblem {
  if (code === "HPE_HEADER_OVERFLOW") {
    return new HttpProblem(
      431,
      "request-header-fields-too-large",
      `The URL and the headers together must not exceed ${maxHeaderBytes} bytes.`,
    );
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new HttpProblem(408, "request-timeout", "The request did not arrive in time.");
  return new HttpProblem(400, "malformed-request", "This is not a well-formed HTTP request.");
}
