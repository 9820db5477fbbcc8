import { combineLabels, type Logger, type Metrics, type Span, type Tracer, findClientAddress } from "@reports/runtime";
import type Koa from "koa";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { RequestState } from "./request-state.ts";
import { securityHeaders } from "./security-headers.ts";

const requestIdPattern = /^[A-Za-z0-9._-]{8,64}$/;
const securityHeaderPairs = Object.entries(securityHeaders);
const unknownRoute = { method: "GET", path: "unknown" } as const;
/** The status in logs and metrics, as in nginx, for a caller that disconnected before the response. */
const clientClosedRequest = 499;

/** Sets the ID, trace and security headers of every request, and logs it with the pattern of its route, because a URL may contain private values. */
export function createRequestLogMiddleware(deps: {
  readonly endpoints: readonly Pick<Endpoint, "method" | "path">[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly traces: Tracer;
  readonly newId: () => string;
  /** Number of trusted proxies in front of the API. Each of them adds one address to X-Forwarded-For. */
  readonly trustedProxyHops: number;
}): Koa.Middleware<RequestState> {
  const requests = deps.metrics.counter({
    name: "reports_http_requests_total",
    help: "Requests by route pattern, method and status.",
    labels: ["route", "method", "status"],
    // The counters of these rare statuses exist from the start, so that an alert sees their first increment. Other statuses are frequent, so their
    // counters begin with the first response.
    series: [...deps.endpoints, unknownRoute].flatMap(({ method, path: route }) =>
      combineLabels({ route: [route], method: [method], status: ["500", "503"] }),
    ),
  });
  const durations = deps.metrics.histogram({
    name: "reports_http_request_duration_seconds",
    help: "Time from the request's headers to the end of its response.",
    labels: ["route", "method"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });

  let warnsOfProxies = deps.trustedProxyHops === 0;
  const warnOfProxies = (): void => {
    warnsOfProxies = false;
    deps.logger.warn(
      "X-Forwarded-For seen but TRUSTED_PROXY_HOPS=0: all clients share one address and one login limit",
    );
  };

  return async (ctx, next) => {
    const startedAt = performance.now();
    const given = ctx.get("X-Request-Id");
    ctx.state.requestId = requestIdPattern.test(given) ? given : deps.newId();
    const span = deps.traces.begin(ctx.method, { kind: "server", parent: ctx.get("traceparent") });
    ctx.state.traceparent = span.traceparent;
    ctx.state.route = unknownRoute.path;
    if (warnsOfProxies && ctx.get("X-Forwarded-For") !== "") warnOfProxies();
    ctx.state.address = findClientAddress(
      { remoteAddress: ctx.req.socket.remoteAddress, forwardedFor: ctx.get("X-Forwarded-For") },
      deps.trustedProxyHops,
    );
    ctx.res.setHeader("X-Request-Id", ctx.state.requestId);
    for (const [name, value] of securityHeaderPairs) ctx.res.setHeader(name, value);
    ctx.res.once("close", () => {
      const { requestId, traceparent, route, principal, problemCode } = ctx.state;
      const durationMs = Math.round(performance.now() - startedAt);
      const status = ctx.res.headersSent ? ctx.res.statusCode : clientClosedRequest;
      const method = ctx.method;
      requests.inc({ route, method, status: String(status) });
      durations.observe({ route, method }, durationMs / 1000);
      // Traces omit requests of probes: their spans are never ended, and so never exported.
      if (!isProbe(route)) endSpan(span, { method, route, status, requestId, problemCode });
      // Load balancers send probes every few seconds, so only failed probes are logged at `info`.
      const line = isProbe(route) && status < 400 ? deps.logger.debug : deps.logger.info;
      line("request", {
        requestId,
        traceparent,
        method,
        route,
        status,
        ...(problemCode === undefined ? {} : { code: problemCode }),
        durationMs,
        ...(principal === undefined ? {} : { principal: principal.id }),
        ...(ctx.res.writableFinished ? {} : { aborted: true }),
      });
    });
    await next();
  };
}

function endSpan(
  span: Span,
  request: { method: string; route: string; status: number; requestId: string; problemCode: string | undefined },
): void {
  const { method, route, status, requestId, problemCode } = request;
  span.rename(`${method} ${route}`);
  span.set({
    "http.request.method": method,
    "http.route": route,
    "http.response.status_code": status,
    "request.id": requestId,
    "problem.code": problemCode,
  });
  if (status >= 500) span.fail(problemCode ?? String(status));
  span.end();
}

function isProbe(route: string): boolean {
  return route.startsWith("/health/") || route === "/metrics";
}
