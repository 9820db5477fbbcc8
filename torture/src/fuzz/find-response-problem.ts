import type { RawResponse } from "./raw-exchange.ts";

/** Returns the problem of a response, or null if it is correct. Without a response, `response` is a text that says how the connection ended. */
export function findResponseProblem(
  response: RawResponse | string,
  { isHead, isBroken }: { readonly isHead: boolean; readonly isBroken: boolean },
): string | null {
  // The API may close the connection after a request that is not HTTP. If it responds, the response must be correct.
  if (typeof response === "string") return isBroken ? null : response;
  const { status, headers, body } = response;
  if (Number.isNaN(status)) return "is not an HTTP response";
  if (status >= 500) return `${status} ${body.toString("utf8").slice(0, 200)}`;
  const requestId = headers.get("x-request-id");
  if (requestId === undefined) return `${status} without X-Request-Id`;
  if (status < 400 || isHead) return null;
  if (headers.get("content-type") !== "application/problem+json")
    return `${status} as ${headers.get("content-type") ?? "nothing"}`;
  try {
    const problem = JSON.parse(body.toString("utf8")) as Record<string, unknown>;
    if (problem.status !== status) return `${status} whose problem says ${String(problem.status)}`;
    if (problem.requestId !== requestId) return `${status} with another requestId than its header's`;
    return typeof problem.code === "string" ? null : `${status} without a code`;
  } catch {
    return `${status} whose problem is not JSON`;
  }
}
