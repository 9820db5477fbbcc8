import Koa from "koa";
import type { Logger, Metrics, Traces } from "@reports/runtime";
import type { Endpoint } from "./endpoint/endpoint.ts";
import { mountEndpoints, refuseAmbiguousRequest, refuseUnknownPath } from "./endpoint/mount-endpoints.ts";
import type { CallDeps } from "./endpoint/call-endpoint.ts";
import type { BodyBudget } from "./limits/body-budget.ts";
import type { DownloadSlots } from "./limits/download-slots.ts";
import type { RefusalThrottle } from "./limits/refusal-throttle.ts";
import type { AuditLog } from "./middleware/audit.ts";
import { createProblemMiddleware } from "./middleware/answer-problems.ts";
import { createCors } from "./middleware/cors.ts";
import { createRequestLog } from "./middleware/request-log.ts";
import type { RequestState } from "./middleware/request-state.ts";
import type { RequestListener } from "node:http";

export interface AppDeps extends Omit<CallDeps, "reviewCredentials"> {
  readonly endpoints: readonly Endpoint[];
  readonly logger: Logger;
  readonly audit: AuditLog;
  readonly metrics: Metrics;
  readonly traces: Traces;
  readonly refusals: RefusalThrottle;
  readonly newId: () => string;
  readonly basePath: string;
  readonly trustedProxyHops: number;
  readonly corsOrigins: readonly string[];
  /** For tests: if true, the API answers 500 instead of sending a response that the endpoint does not declare. */
  readonly checkResponses?: boolean;
  readonly bodies: BodyBudget;
  readonly downloads: DownloadSlots;
}

export function createApp(deps: AppDeps): RequestListener {
  const app = new Koa<RequestState>();
  app.on("error", (error: unknown) => deps.logger.debug("connection error", { error }));
  app.use(createRequestLog(deps));
  app.use(createCors(deps.corsOrigins));
  app.use(createProblemMiddleware(deps));
  app.use(refuseAmbiguousRequest);
  app.use(mountEndpoints({ ...deps, checkResponses: deps.checkResponses ?? false }, deps.endpoints).routes());
  app.use(refuseUnknownPath);
  const answer = app.callback();
  return (request, response) => void answer(request, response);
}
