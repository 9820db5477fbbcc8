import { Router } from "@koa/router";
import { createCredentialRecheck } from "@reports/auth";
import type { QuotaState } from "@reports/core/caller";
import type { AuditLog } from "../middleware/audit.ts";
import type { RequestContext, RequestState } from "../middleware/request-state.ts";
import { HttpProblem, toProblemReply } from "../problem.ts";
import { isValidPercentEncoding } from "../http/query.ts";
import { createRequestAudit } from "./create-request-audit.ts";
import { callEndpoint, type CallEndpointDeps } from "./call-endpoint.ts";
import { CallerLeftError } from "./caller-left-error.ts";
import { assertDeclaredProblem, assertDeclaredReply } from "./check-response.ts";
import type { Endpoint } from "./endpoint.ts";
import type { BodyMemoryBudget } from "../limits/body-memory-budget.ts";
import type { ConcurrencyLimiter } from "../limits/concurrency-limiter.ts";
import { formatRateLimitFields } from "../limits/rate-limit-fields.ts";
import { throttleKeyOf } from "@reports/runtime";
import { readJsonBody } from "./read-body.ts";
import { sendReply } from "./send-reply.ts";
import { addToVaryHeader } from "./vary.ts";

export interface MountEndpointsDeps extends Omit<CallEndpointDeps, "reviewCredentials"> {
  readonly audit: AuditLog;
  readonly bodies: BodyMemoryBudget;
  readonly checkResponses: boolean;
  readonly downloads: ConcurrencyLimiter;
}

export function mountEndpoints(deps: MountEndpointsDeps, endpoints: readonly Endpoint[]): Router<RequestState> {
  // Without these options of the router, /V1/Report/ would match /v1/report.
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const callDeps = { ...deps, reviewCredentials: createCredentialRecheck(deps.authenticate) };
  for (const [path, group] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const byMethod = new Map<string, Endpoint>(group.map((endpoint) => [endpoint.method, endpoint]));
    const allow = listAllowedMethods(byMethod);
    router.all(path.replaceAll(/\{(\w+)\}/g, ":$1"), async (ctx) => {
      ctx.state.route = path;
      if (ctx.method === "OPTIONS") {
        ctx.status = 204;
        ctx.set("Allow", allow);
        return;
      }
      const endpoint = byMethod.get(ctx.method === "HEAD" ? "GET" : ctx.method);
      if (endpoint === undefined) {
        const message = `${ctx.method} is not supported on this path. Allowed: ${allow}.`;
        throw new HttpProblem(405, "method-not-allowed", message, { headers: { Allow: allow } });
      }
      await answerRequest(callDeps, endpoint, ctx, ctx.params);
    });
  }
  return router;
}

/** Refuses requests that a proxy could interpret in another way: without Host, with two Host headers, or with a path that is not percent-encoded UTF-8. */
export async function rejectAmbiguousRequest(ctx: RequestContext, next: () => Promise<unknown>): Promise<void> {
  const hosts = ctx.req.headersDistinct.host?.length ?? 0;
  // Host is optional only in HTTP/1.0. RFC 9112 §3.2.
  if (hosts > 1 || (hosts === 0 && ctx.req.httpVersion === "1.1")) {
    const headers = { Connection: "close" };
    const message = hosts === 0 ? "The request names no host." : "The request names more than one host.";
    throw new HttpProblem(400, "malformed-request", message, { headers });
  }
  if (!isValidPercentEncoding(ctx.path))
    throw new HttpProblem(400, "malformed-path", "The path is not percent-encoded UTF-8.");
  await next();
}

export function throwPathNotFound(): never {
  throw new HttpProblem(
    404,
    "path-not-found",
    "There is nothing under this path. Paths are case-sensitive and have no trailing slash.",
  );
}

/** Headers in which a browser names the site whose page sent the request. */
const siteHeaders: ReadonlySet<string> = new Set(["sec-fetch-site", "origin"]);

async function answerRequest(
  deps: MountEndpointsDeps & CallEndpointDeps,
  endpoint: Endpoint,
  ctx: RequestContext,
  params: Record<string, string>,
): Promise<void> {
  const leaving = new AbortController();
  ctx.res.once("close", () => {
    if (!ctx.res.writableFinished) leaving.abort(new CallerLeftError());
  });
  const quotas: QuotaState[] = [];
  const audit = createRequestAudit(deps.audit, endpoint, ctx, params);
  let releaseDownload = (): void => undefined;
  try {
    const reply = await callEndpoint(deps, endpoint, {
      method: ctx.method === "HEAD" ? "HEAD" : endpoint.method,
      params,
      queryText: ctx.querystring,
      header: (name) => {
        addToVaryHeader(ctx, name);
        // For a page of an origin in CORS_ORIGINS, these headers are hidden. So the page has the same rights as one of the API's own site.
        if (ctx.state.isFromAllowedOrigin === true && siteHeaders.has(name)) return undefined;
        // All values of a repeated header are joined, so that two Authorization headers are refused. Node would silently use only the first one.
        return ctx.req.headersDistinct[name]?.join(", ");
      },
      readBody: async (mediaTypes, options) =>
        readJsonBody(ctx, mediaTypes, options, (sizeBytes) =>
          deps.bodies.reserve(ctx.state.principal?.id ?? "", sizeBytes),
        ),
      signal: leaving.signal,
      traceparent: ctx.state.traceparent,
      requestId: ctx.state.requestId,
      address: throttleKeyOf(ctx.state.address),
      onPrincipal: (principal) => {
        ctx.state.principal = principal;
      },
      onLogin: (login) => audit.onLogin(login),
      auditNow: (reply) => audit.onReply(reply),
      onQuota: (quota) => {
        ctx.set(formatRateLimitFields([quota]));
        quotas.push(quota);
      },
    });
    if (reply.quotas !== undefined) ctx.set(formatRateLimitFields([...quotas, ...reply.quotas]));
    if (deps.checkResponses) assertDeclaredReply(endpoint, ctx.method, reply);
    if (reply.body.kind === "bytes" && ctx.method !== "HEAD") {
      releaseDownload = deps.downloads.acquire(ctx.state.principal?.id ?? "");
    }
    await sendReply(ctx, reply, leaving.signal, () => audit.onReply(reply));
  } catch (error) {
    audit.onError(error);
    if (deps.checkResponses && !ctx.res.headersSent)
      assertDeclaredProblem(endpoint, toProblemReply(error).status, error);
    throw error;
  } finally {
    releaseDownload();
  }
}

function listAllowedMethods(byMethod: ReadonlyMap<string, Endpoint>): string {
  const methods = [...byMethod.keys()];
  return [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"].join(", ");
}
