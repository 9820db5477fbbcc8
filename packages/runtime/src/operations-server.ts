import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HealthCheck } from "./health-check.ts";
import { createConnectionObserver } from "./http/connection-metrics.ts";
import { createGuardedServer, reservedProbeConnections } from "./http/create-guarded-server.ts";
import { closeServer, listen } from "./http/listen.ts";
import type { Logger } from "./log/logger.ts";
import type { Metrics } from "./metrics.ts";
import { createReadinessCheck } from "./readiness.ts";
import { createCachedRead } from "./create-cached-read.ts";

export interface OperationsServerOptions {
  readonly host: string;
  /** Port of the server. With 0, the system chooses a free one. */
  readonly port: number;
  readonly checks: Readonly<Record<string, HealthCheck>>;
  readonly checkTimeoutMs?: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export interface OperationsServer {
  start(): Promise<AddressInfo>;
  stop(signal: AbortSignal): Promise<void>;
}

const maxConnections = 100;
const maxUnreadBytes = 16 * 1024 ** 2;
const securityHeaders = { "X-Content-Type-Options": "nosniff" } as const;

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Creates a server for `/health/live` (200 while the process responds), `/health/ready` (200, or 503 if a check fails) and `/metrics`. */
export function createOperationsServer(options: OperationsServerOptions): OperationsServer {
  const { checks, checkTimeoutMs, logger } = options;
  const readiness = createReadinessCheck({
    checks,
    logger,
    ...(checkTimeoutMs === undefined ? {} : { timeoutMs: checkTimeoutMs }),
  });
  const metrics = createCachedRead(async () => options.metrics.render(), options.metrics.renderedFor);
  const routes: Record<string, () => Promise<Answer>> = {
    "/health/live": async () => jsonAnswer(200, { status: "ok" }),
    "/health/ready": async () => {
      const report = await readiness();
      return jsonAnswer(report.status === "ok" ? 200 : 503, report);
    },
    "/metrics": async () => ({ status: 200, ...(await metrics()) }),
  };
  const server = createGuardedServer(
    (request, response) => {
      answerRequest(routes, request)
        .catch((error: unknown) => {
          options.logger.error("operations request failed", { error });
          return jsonAnswer(500, { status: "error" });
        })
        .then(
          (reply) => sendAnswer(request, response, reply),
          () => response.destroy(),
        );
    },
    {
      limits: {
        requestTimeoutMs: 15_000,
        connections: { total: maxConnections, perAddress: 0, ...reservedProbeConnections },
        unreadOutputBytes: maxUnreadBytes,
      },
      observer: createConnectionObserver(options.metrics, logger),
      describeRefusal: ({ message }) => {
        const { contentType, body } = jsonAnswer(0, { status: message });
        return { headers: { "Content-Type": contentType, ...securityHeaders }, body };
      },
    },
  );
  return {
    start: async () => listen(server, options),
    stop: async (signal) => closeServer(server, signal),
  };
}

async function answerRequest(routes: Record<string, () => Promise<Answer>>, request: IncomingMessage): Promise<Answer> {
  const [path = ""] = (request.url ?? "").split("?");
  const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (route === undefined) return jsonAnswer(404, { status: "not found" });
  if (request.method !== "GET" && request.method !== "HEAD") return jsonAnswer(405, { status: "method not allowed" });
  return route();
}

function sendAnswer(request: IncomingMessage, response: ServerResponse, reply: Answer): void {
  response.writeHead(reply.status, {
    "Content-Type": reply.contentType,
    "Content-Length": Buffer.byteLength(reply.body),
    "Cache-Control": "no-store",
    ...securityHeaders,
    ...(reply.status === 405 ? { Allow: "GET, HEAD" } : {}),
  });
  response.end(request.method === "HEAD" ? undefined : reply.body);
}

function jsonAnswer(status: number, value: unknown): Answer {
  return { status, contentType: "application/json", body: JSON.stringify(value) };
}
