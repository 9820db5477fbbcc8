import type { Context } from "koa";

/**
 * Headers that select no response. RFC 9110 §12.5.5 excludes `Authorization`, because caches do not share its responses. Host belongs to the
 * URI. Conditions (RFC 9110 §13) and ranges (RFC 9110 §14) apply to the selected response, and three headers describe the body.
 */
const neverSelects = new Set([
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

/** Names a request header in `Vary`, because the response depends on it. */
export function addToVary(ctx: Pick<Context, "vary" | "headerSent">, name: string): void {
  if (neverSelects.has(name) || ctx.headerSent) return;
  ctx.vary(name.replaceAll(/(?:^|-)[a-z]/g, (letters) => letters.toUpperCase()));
}
