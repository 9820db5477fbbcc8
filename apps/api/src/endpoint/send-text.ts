import type { Context } from "koa";
import { chooseCoding, encode } from "../http/content-coding.ts";
import type { StaticText } from "../http/static-text.ts";

/** Shorter texts are not worth it. In bytes. */
const compressedFrom = 1_024;

/** Compresses a long text if accepted. The ETag stays the same in every coding: conditional writes use it too. */
export async function sendText(ctx: Context, contentType: string, text: string | StaticText): Promise<void> {
  const isStatic = typeof text === "object";
  const sizeBytes = isStatic ? text.bytes.length : Buffer.byteLength(text);
  // Before the body, from which Koa would guess it.
  ctx.set("Content-Type", contentType);
  if (sizeBytes >= compressedFrom) {
    ctx.vary("Accept-Encoding");
    const coding = chooseCoding(ctx.get("Accept-Encoding"));
    if (coding !== null) {
      ctx.body = isStatic ? await text.encoded(coding) : await encode(Buffer.from(text), coding);
      ctx.set("Content-Encoding", coding);
      return;
    }
  }
  // A text goes to the kernel in one piece with its head; bytes would go in two.
  ctx.body = isStatic ? text.bytes : text;
}
