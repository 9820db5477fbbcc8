import type { Context } from "koa";
import { chooseCoding, encode } from "../http/content-coding.ts";
import type { StaticText } from "../http/static-text.ts";

/** What is shorter is not worth it. In bytes. */
const compressedFrom = 1_024;

/**
 * Sets a text as the body, compressed where it is long and the caller accepts it. An ETag names the state of the resource and stays the same
 * in every coding: a record's is also what writes are conditional on.
 */
export async function sendText(ctx: Context, contentType: string, text: string | StaticText): Promise<void> {
  const isKept = typeof text === "object";
  const bytes = isKept ? text.bytes : Buffer.from(text);
  ctx.body = bytes;
  ctx.set("Content-Type", contentType);
  if (bytes.length < compressedFrom) return;
  ctx.vary("Accept-Encoding");
  const coding = chooseCoding(ctx.get("Accept-Encoding"));
  if (coding === null) return;
  ctx.body = isKept ? await text.encoded(coding) : await encode(bytes, coding);
  ctx.set("Content-Type", contentType);
  ctx.set("Content-Encoding", coding);
}
