import type { RequestListener, Server } from "node:http";
import type { Duplex } from "node:stream";
import { admitByEntrance } from "./admit-by-entrance.ts";
import type { ConnectionObserver } from "./connection-metrics.ts";
import { nodeHttp } from "./node-http.ts";
import { refusalHeaders, type DescribeRefusal, type HttpRefusal } from "./http-refusal.ts";
import { sequencePipelinedRequests } from "./sequence-pipelined-requests.ts";
import { createConnectionQuota, type ConnectionLimits } from "./connection-quota.ts";
import { dropSlowReaders, type SlowReaderLimits } from "./slow-readers.ts";
import { limitUnreadOutput } from "./unread-output-meter.ts";

export interface ServerLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Time without a byte in either direction after which a connection closes, as in an abandoned download. */
  readonly idleTimeoutMs: number;
  readonly slowReaders: SlowReaderLimits;
  readonly connections: ConnectionLimits;
  /** Maximum size of the unread responses of all connections together. 0 for no limit. */
  readonly unreadOutputBytes: number;
}

/** Number and lifetime of the additional connections for health checks and metrics on every port. */
export const reservedProbeConnections = { reserved: 50, reservedMs: 10_000 } as const;

const defaultLimits: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  idleTimeoutMs: 120_000,
  slowReaders: { bytesPerSecond: 1_024, patienceMs: 60_000 },
  connections: { total: 2_000, perAddress: 200, ...reservedProbeConnections },
  unreadOutputBytes: 64 * 1024 ** 2,
};
/** Maximum size of URL and headers together. docs/reference/limits.md#sizes-and-times. */
const maxHeaderBytes = 16 * 1024;

export interface GuardedServerDeps {
  readonly describeRefusal: DescribeRefusal;
  readonly limits?: Partial<ServerLimits>;
  readonly observer?: Partial<ConnectionObserver>;
  readonly servesProbesOnly?: boolean;
  /** While `hasStarted` returns false, the server serves only health and metrics. Default: always true. */
  readonly hasStarted?: () => boolean;
}

/** Creates a server that limits connections, headers, pipelined requests and unread responses, and drops slow readers. */
export function createGuardedServer(listener: RequestListener, deps: GuardedServerDeps): Server {
  const { observer, describeRefusal } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const server = nodeHttp.createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, limits.headersTimeoutMs),
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: 65_000,
    // Node would answer a request without a Host header with an empty 400. The listener answers it instead.
    requireHostHeader: false,
  });
  const connections = createConnectionQuota(server, limits.connections, (reason) => observer?.onRefused?.(reason));
  const admitted = admitByEntrance(
    listener,
    ({ socket }) => {
      if (connections.isReserved(socket)) return "reserved";
      if (deps.servesProbesOnly === true) return "probes";
      return deps.hasStarted?.() === false ? "starting" : "open";
    },
    describeRefusal,
  );
  const serialised = sequencePipelinedRequests(server, (request, response) => {
    connections.serve(request.socket, response);
    admitted(request, response);
  });
  const refuse = (error: Error & { code?: string }, socket: Duplex): void => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && serialised.isHeld(socket)) return;
    serialised.end(socket, (inProgress) => {
      // After a response has sent its headers, the text of a refusal would look like a part of that response's body. So the connection is closed
      // instead.
      if (!socket.writable || inProgress?.headersSent === true) socket.destroy();
      else endWithRefusal(socket, refusalForError(error.code), describeRefusal);
    });
  };

  server.on("request", serialised.listener);
  server.setTimeout(limits.idleTimeoutMs);
  dropSlowReaders(server, limits.slowReaders, (dropped) => observer?.onSlowReader?.(dropped));
  const unread = limitUnreadOutput(server, limits.unreadOutputBytes, (dropped) => observer?.onUnreadOutput?.(dropped));
  observer?.watch?.(server, unread);
  server.on("clientError", refuse);
  // Node answers some unknown Expect headers with an empty 417 and others not at all. A server may ignore them (RFC 9110 §10.1.1).
  server.on("checkExpectation", serialised.listener);
  server.on("connect", (_request, socket) => {
    // Node has removed its error listener from this socket. Without one, a reset connection ends the process.
    socket.on("error", () => undefined);
    refuse(new Error("CONNECT is not supported."), socket);
  });
  return server;
}

function endWithRefusal(socket: Duplex, refusal: HttpRefusal, describeRefusal: DescribeRefusal): void {
  const reply = describeRefusal(refusal);
  const headers = { ...refusalHeaders(refusal, reply), Connection: "close" };
  const head = [
    `HTTP/1.1 ${refusal.status} ${nodeHttp.STATUS_CODES[refusal.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${reply.body}`);
}

function refusalForError(code: string | undefined): HttpRefusal {
  if (code === "HPE_HEADER_OVERFLOW") {
    return {
      status: 431,
      code: "request-header-fields-too-large",
      message: `The URL and the headers together must not exceed ${maxHeaderBytes} bytes.`,
    };
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return { status: 408, code: "request-timeout", message: "The request did not arrive in time." };
  return { status: 400, code: "malformed-request", message: "This is not a well-formed HTTP request." };
}
