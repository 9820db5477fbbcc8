import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Context } from "koa";
import type { Reply } from "./endpoint.ts";
import { sendText } from "./send-text.ts";

/**
 * Sends a reply. Rejects before the status is sent if the body cannot be opened. If the body ends too early, destroys the connection, so that the
 * caller notices.
 * @param onReady Called once before the status is sent, but not if the bytes of a file cannot be opened.
 */
export async function sendReply(ctx: Context, reply: Reply, signal: AbortSignal, onReady: () => void): Promise<void> {
  const { body } = reply;
  if (body.kind === "bytes") {
    await sendBytes(ctx, { ...reply, body }, signal, onReady);
    return;
  }
  onReady();
  if (body.kind === "events") {
    await sendEvents(ctx, { ...reply, body }, signal);
    return;
  }
  ctx.status = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) ctx.set(name, value);
  if (body.kind === "json") {
    await sendText(ctx, "application/json", body.staticJson ?? JSON.stringify(body.value));
  } else if (body.kind === "text") {
    await sendText(ctx, body.contentType, body.text);
  } else {
    // Koa sets the status 204 when the body becomes empty, so the status of the reply is set afterwards.
    ctx.body = null;
    ctx.status = reply.status;
    if (body.contentType === undefined) return;
    ctx.set("Content-Type", body.contentType);
    ctx.vary("Accept-Encoding");
  }
}

async function sendBytes(
  ctx: Context,
  reply: Reply & { body: { kind: "bytes" } },
  signal: AbortSignal,
  onReady: () => void,
): Promise<void> {
  const { body } = reply;
  const source = ctx.method === "HEAD" ? await body.check(signal) : await body.open(signal);
  onReady();
  ctx.respond = false;
  ctx.res.writeHead(reply.status, {
    ...reply.headers,
    "Content-Type": body.contentType,
    "Content-Length": body.sizeBytes,
  });
  if (source === undefined) {
    ctx.res.end();
    return;
  }
  try {
    // pipeline destroys the source when the caller disconnects, and the connection when the source fails.
    await pipeline(source, ctx.res);
  } finally {
    // If the caller had disconnected before `pipeline` began, `pipeline` does not destroy the source.
    source.destroy();
  }
}

async function sendEvents(
  ctx: Context,
  reply: Reply & { body: { kind: "events" } },
  signal: AbortSignal,
): Promise<void> {
  const source = ctx.method === "HEAD" ? null : await reply.body.open(signal);
  ctx.respond = false;
  ctx.res.writeHead(reply.status, { ...reply.headers, "Content-Type": "text/event-stream" });
  if (source === null) {
    ctx.res.end();
    return;
  }
  // The stream buffers one event, so that a slow reader slows the source down.
  await pipeline(Readable.from(source, { highWaterMark: 1 }), ctx.res);
}
