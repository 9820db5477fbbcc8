import type { Context } from "koa";

/**
 * Request headers that `Vary` never lists. Caches do not share responses to requests with `Authorization` (RFC 9110 §12.5.5). `Host` is part of the
 * URI. Conditional and range headers (RFC 9110 §13, §14) apply to the selected response. The last three headers describe the request's body.
 */
const headersNeverInVary = new Set([
  "authorization",
  "host",
  "if-match",
  "if-none-match",
  "if-modified-since",
  "if-unmodified-since",
  "if-range",
  "range",
  "content-type",
  "content-length",
  "transfer-encoding",
]);

export function addToVaryHeader(ctx: Pick<Context, "vary" | "headerSent">, name: string): void {
  if (headersNeverInVary.has(name) || ctx.headerSent) return;
  ctx.vary(name.replaceAll(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase()));
}
