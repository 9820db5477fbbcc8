import type { Context } from "koa";
import { chooseContentCoding, compressBytes } from "../http/content-coding.ts";
import type { StaticText } from "../http/static-text.ts";

/** Size in bytes from which a text is compressed. Compression saves little in shorter texts. */
const minCompressedBytes = 1_024;

/** Sends a text, compressed if it is long and the caller accepts a coding. All codings share one ETag, because a caller sends the ETag back in If-Match. */
export async function sendText(ctx: Context, contentType: string, text: string | StaticText): Promise<void> {
  const isStatic = typeof text === "object";
  const sizeBytes = isStatic ? text.bytes.length : Buffer.byteLength(text);
  // The Content-Type is set before the body, because Koa would otherwise guess it from the body.
  ctx.set("Content-Type", contentType);
  if (sizeBytes >= minCompressedBytes) {
    ctx.vary("Accept-Encoding");
    const coding = chooseContentCoding(ctx.get("Accept-Encoding"));
    if (coding !== null) {
      ctx.body = isStatic ? await text.encoded(coding) : await compressBytes(Buffer.from(text), coding);
      ctx.set("Content-Encoding", coding);
      return;
    }
  }
  // Node sends a string in one piece with the head of the response, but a buffer separately. So only static texts are sent as buffers.
  ctx.body = isStatic ? text.bytes : text;
}
