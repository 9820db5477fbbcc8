import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { DomainError } from "@reports/core/base";
import { type Logger, throttleKeyOf } from "@reports/runtime";
import type Koa from "koa";
import { CallerLeftError } from "../endpoint/caller-left-error.ts";
import type { RefusalThrottle } from "../limits/refusal-throttle.ts";
import { createProblemDocument, toProblemReply } from "../problem.ts";
import { toProblemInstance } from "./problem-instance.ts";
import type { RequestState } from "./request-state.ts";

export function createProblemMiddleware(deps: {
  readonly logger: Logger;
  readonly basePath: string;
  readonly refusals: RefusalThrottle;
}): Koa.Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const { requestId, route } = ctx.state;
      if (ctx.res.headersSent || ctx.res.destroyed) {
        // If the status is already sent, closing the connection is the only way to show the caller that the response is incomplete.
        ctx.respond = false;
        ctx.res.destroy();
        // A prober can disconnect during an outage, before the API sends the 503. The API logs no error for that, but still logs unexpected errors.
        const isFailure = !hasCallerLeft(error) && (ctx.res.headersSent || toProblemReply(error).isBug);
        if (isFailure) deps.logger.error("response aborted", { requestId, route, error });
        return;
      }
      const reply = toProblemReply(error);
      if (reply.isBug) deps.logger.error("request failed unexpectedly", { requestId, route, error });
      // If the API itself decides to answer 503, for example because of overload, it logs only the line of the request. A second line would double
      // the log during a flood.
      else if (reply.status === 503 && !(error instanceof DomainError)) {
        deps.logger.warn("dependency unavailable", { requestId, route, error });
      }
      ctx.state.problemCode = reply.code;
      if (ctx.state.principal === undefined) {
        await delayUnlessClosed(deps.refusals.countRefusal(throttleKeyOf(ctx.state.address)), ctx.res);
      }
      ctx.status = reply.status;
      ctx.set({ "Cache-Control": "no-store", ...reply.headers });
      const instance = route.includes("{token}") ? "" : toProblemInstance(ctx.path);
      ctx.body = JSON.stringify(createProblemDocument(reply, { instance, requestId, basePath: deps.basePath }));
      ctx.set("Content-Type", "application/problem+json");
    }
  };
}

async function delayUnlessClosed(ms: number, response: ServerResponse): Promise<void> {
  if (ms === 0) return;
  const abandoned = new AbortController();
  const abandon = (): void => abandoned.abort();
  response.once("close", abandon);
  await wait(ms, undefined, { signal: abandoned.signal }).catch(() => undefined);
  response.off("close", abandon);
}

function hasCallerLeft(error: unknown): boolean {
  if (error instanceof CallerLeftError) return true;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return (
    code === "ERR_STREAM_PREMATURE_CLOSE" ||
    code === "ERR_STREAM_UNABLE_TO_PIPE" ||
    code === "ECONNRESET" ||
    // This error of the body parser means that the caller closed the connection before its body was complete.
    code === "ECONNABORTED" ||
    code === "EPIPE" ||
    code === "ERR_STREAM_DESTROYED"
  );
}
