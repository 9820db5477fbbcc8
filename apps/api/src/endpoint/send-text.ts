import type { Context } from "koa";
import { chooseCoding, encodeBytes } from "../http/content-coding.ts";
import type { StaticText } from "../http/static-text.ts";

/** Smallest size of a text that is compressed, in bytes. */
const minCompressedBytes = 1_024;

/** Sends a text, compressed if it is long and the caller accepts a coding. All codings share one ETag, because conditional writes use it too. */
export async function sendText(ctx: Context, contentType: string, text: string | StaticText): Promise<void> {
  const isStatic = typeof text === "object";
  const sizeBytes = isStatic ? text.bytes.length : Buffer.byteLength(text);
  // The type is set before the body, because Koa would otherwise guess it from the body.
  ctx.set("Content-Type", contentType);
  if (sizeBytes >= minCompressedBytes) {
    ctx.vary("Accept-Encoding");
    const coding = chooseCoding(ctx.get("Accept-Encoding"));
    if (coding !== null) {
      ctx.body = isStatic ? await text.encoded(coding) : await encodeBytes(Buffer.from(text), coding);
      ctx.set("Content-Encoding", coding);
      return;
    }
  }
  // Node sends a string in one piece with the response head, but a buffer as a separate piece.
  ctx.body = isStatic ? text.bytes : text;
}
