import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { refusalHeaders, type DescribeRefusal, type HttpRefusal } from "./http-refusal.ts";

/** Paths of health checks and metrics, which the platform requests without credentials and without a body. */
const probePaths: readonly string[] = ["/health/live", "/health/ready", "/metrics"];

/**
 * How a request arrived. `open`: on an ordinary connection. `reserved`: on a reserved one. `probes`: on the port for health and metrics. `starting`:
 * before the process was ready.
 */
export type RequestEntrance = "open" | "reserved" | "probes" | "starting";

const refusalByEntrance: Readonly<Record<Exclude<RequestEntrance, "open">, HttpRefusal>> = {
  probes: { status: 404, code: "path-not-found", message: `Only ${probePaths.join(", ")} are served here.` },
  reserved: {
    status: 503,
    code: "too-many-connections",
    message:
      "The connection limit of this instance or of your address is reached. Close some connections, or try again shortly.",
    headers: { "Retry-After": "2" },
  },
  starting: {
    status: 503,
    code: "not-ready",
    message: "The process is starting. Try again shortly.",
    headers: { "Retry-After": "2" },
  },
};

/**
 * Passes requests for health and metrics to the listener, and all other requests only if their entrance is `open`. Closes a reserved connection
 * after one response, so that the next probe can have the reserved place.
 */
export function admitByEntrance(
  listener: RequestListener,
  entranceOf: (request: IncomingMessage) => RequestEntrance,
  describeRefusal: DescribeRefusal,
): RequestListener {
  return (request, response) => {
    const entrance = entranceOf(request);
    if (entrance === "reserved") response.setHeader("Connection", "close");
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (entrance === "open" || probePaths.includes(path)) listener(request, response);
    else sendRefusal(response, refusalByEntrance[entrance], describeRefusal);
  };
}

function sendRefusal(response: ServerResponse, refusal: HttpRefusal, describeRefusal: DescribeRefusal): void {
  const reply = describeRefusal(refusal);
  response.writeHead(refusal.status, refusalHeaders(refusal, reply));
  response.end(response.req.method === "HEAD" ? undefined : reply.body);
}
