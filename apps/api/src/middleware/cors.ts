import type Koa from "koa";
import type { RequestState } from "./request-state.ts";

/** Request headers that pages of allowed origins may set. Every page may set a few more (Fetch standard). */
export const corsAllowedHeaders = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-Modified-Since",
  "If-None-Match",
  "If-Range",
  "If-Unmodified-Since",
  "Last-Event-ID",
  "Prefer",
  "Range",
  "Traceparent",
  "X-Request-Id",
] as const;

/** Response headers that pages of allowed origins may read. Every page may read a few more (Fetch standard). */
export const corsExposedHeaders = [
  "Accept-Ranges",
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "Location",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Repr-Digest",
  "Retry-After",
  "WWW-Authenticate",
  "X-Request-Id",
  "X-Total-Count",
  "X-Total-Count-At-Least",
] as const;

/** Seconds for which a browser may reuse the response to a preflight. Afterwards, it notices that an origin was removed. */
const preflightSeconds = 600;

/**
 * Lets pages of these origins call the paths below `/v1/` with bearer tokens (Fetch standard, CORS protocol). Excludes Basic credentials, because a
 * browser may add stored ones. Does not send Access-Control-Allow-Credentials, so pages cannot use cookies and client certificates.
 */
export function createCorsMiddleware(origins: readonly string[]): Koa.Middleware<RequestState> {
  const allowed = new Set(origins);
  return async (ctx, next) => {
    const isOpenPath = allowed.size > 0 && ctx.path.startsWith("/v1/");
    if (isOpenPath) ctx.vary("Origin");
    const origin = ctx.get("Origin");
    const isAllowed = isOpenPath && allowed.has(origin) && !/^basic\b/i.test(ctx.get("Authorization"));
    if (isAllowed) {
      ctx.state.isFromAllowedOrigin = true;
      ctx.set("Access-Control-Allow-Origin", origin);
      ctx.set("Access-Control-Expose-Headers", corsExposedHeaders.join(", "));
    }
    await next();
    if (!isAllowed || ctx.method !== "OPTIONS") return;
    ctx.set({
      "Access-Control-Allow-Methods": ctx.response.get("Allow"),
      "Access-Control-Allow-Headers": corsAllowedHeaders.join(", "),
      "Access-Control-Max-Age": String(preflightSeconds),
    });
  };
}
