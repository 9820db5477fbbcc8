import Koa from "koa";
import type { Logger, Metrics, Tracer } from "@reports/runtime";
import type { Endpoint } from "./endpoint/endpoint.ts";
import { mountEndpoints, rejectAmbiguousRequest, throwPathNotFound } from "./endpoint/mount-endpoints.ts";
import type { CallEndpointDeps } from "./endpoint/call-endpoint.ts";
import type { BodyMemoryBudget } from "./limits/body-memory-budget.ts";
import type { ConcurrencyLimiter } from "./limits/concurrency-limiter.ts";
import type { RefusalThrottle } from "./limits/refusal-throttle.ts";
import type { AuditLog } from "./middleware/audit.ts";
import { createProblemMiddleware } from "./middleware/answer-problems.ts";
import { createCorsMiddleware } from "./middleware/cors.ts";
import { createRequestLogMiddleware } from "./middleware/request-log.ts";
import type { RequestState } from "./middleware/request-state.ts";
import type { RequestListener } from "node:http";

export interface AppDeps extends Omit<CallEndpointDeps, "reviewCredentials"> {
  readonly endpoints: readonly Endpoint[];
  readonly logger: Logger;
  readonly audit: AuditLog;
  readonly metrics: Metrics;
  readonly traces: Tracer;
  readonly refusals: RefusalThrottle;
  readonly newId: () => string;
  readonly basePath: string;
  readonly trustedProxyHops: number;
  readonly corsOrigins: readonly string[];
  /** For tests: if true, the API answers 500 instead of sending a response that the endpoint does not declare. */
  readonly checkResponses?: boolean;
  readonly bodies: BodyMemoryBudget;
  readonly downloads: ConcurrencyLimiter;
}

export function createApp(deps: AppDeps): RequestListener {
  const app = new Koa<RequestState>();
  app.on("error", (error: unknown) => deps.logger.debug("connection error", { error }));
  app.use(createRequestLogMiddleware(deps));
  app.use(createCorsMiddleware(deps.corsOrigins));
  app.use(createProblemMiddleware(deps));
  app.use(rejectAmbiguousRequest);
  app.use(mountEndpoints({ ...deps, checkResponses: deps.checkResponses ?? false }, deps.endpoints).routes());
  app.use(throwPathNotFound);
  const answer = app.callback();
  return (request, response) => void answer(request, response);
}
