import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { securityHeaders } from "../middleware/security-headers.ts";
import { HttpProblem, problemDocument, toProblemReply } from "../problem.ts";

/** What the platform asks for, without credentials and without a body. */
const probePaths: readonly string[] = ["/health/live", "/health/ready", "/metrics"];

/** What telling a problem needs, before there is anything else. */
export interface ProblemDeps {
  readonly newId: () => string;
  readonly basePath: string;
}

/**
 * Where a request came in: on an ordinary connection, on one reserved for probes, on the port that serves only probes, or before the process
 * was ready for anything else.
 */
export type Door = "open" | "reserved" | "probes" | "starting";

/** Lets through a door that is not open to all probes only, one a connection where that is reserved. */
export function admitProbes(
  listener: RequestListener,
  doorOf: (request: IncomingMessage) => Door,
  deps: ProblemDeps,
): RequestListener {
  return (request, response) => {
    const door = doorOf(request);
    if (door === "reserved") response.setHeader("Connection", "close");
    const [path = ""] = (request.url ?? "").split("?", 1);
    if (door === "open" || probePaths.includes(path)) listener(request, response);
    else sendProblem(response, problems[door](), deps);
  };
}

const problems = { probes: nothingElse, reserved: tooMany, starting: notYet } as const;

function notYet(): HttpProblem {
  return new HttpProblem(503, "not-ready", "The process is starting. Try again shortly.", {
    headers: { "Retry-After": "2" },
  });
}

function nothingElse(): HttpProblem {
  return new HttpProblem(404, "path-not-found", `Only ${probePaths.join(", ")} are served here.`);
}

function tooMany(): HttpProblem {
  const message =
    "The connection limit of this instance or of your address is reached. Close some connections, or try again shortly.";
  return new HttpProblem(503, "too-many-connections", message, { headers: { "Retry-After": "2" } });
}

function sendProblem(response: ServerResponse, problem: HttpProblem, { newId, basePath }: ProblemDeps): void {
  const requestId = newId();
  const body = JSON.stringify(problemDocument(toProblemReply(problem), { instance: "", requestId, basePath }));
  response.writeHead(problem.status, {
    ...securityHeaders,
    ...problem.headers,
    "Content-Type": "application/problem+json",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}
