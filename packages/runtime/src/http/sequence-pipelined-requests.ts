import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";

/** Number of bytes that the parser gets at a time. The shortest request has 18 bytes, so at most 14 requests are parsed at a time. */
const stepBytes = 256;
/** How long a caller has to read the last response before the connection closes, in milliseconds. */
const lingerMs = 1_000;

interface Pipeline {
  add(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Refuses malformed input after the responses to earlier requests. If the malformed input is the body of the request in progress, `refuse` gets
   * the response to that request.
   */
  end(refuse: (inProgress: ServerResponse | null) => void): void;
  /** Reports whether bytes of the caller wait unread because a response is in progress. Then a timeout of the caller's request does not apply. */
  isHeld(): boolean;
}

export interface PipelineSequencer {
  readonly listener: RequestListener;
  end(socket: Duplex, refuse: (inProgress: ServerResponse | null) => void): void;
  isHeld(socket: Duplex): boolean;
}

/**
 * Serialises the pipelined requests of each connection (RFC 9112 §9.3.2). The listener gets the next request when the kernel has taken the
 * previous response. Node alone would parse 64 KiB at a time, which can be 1,500 small requests.
 * Node's HTTP server reads through `data` events. If a stream has a `readable` listener, only `read(size)` emits `data`. So this function reads
 * in small steps, and in larger ones within a body of known length. docs/decisions/0021-requests-are-answered-in-turn.md.
 */
export function sequencePipelinedRequests(server: Server, listener: RequestListener): PipelineSequencer {
  const pipelines = new WeakMap<Duplex, Pipeline>();
  server.on("connection", (socket) => pipelines.set(socket, createPipeline(socket, listener)));
  return {
    listener: (request, response) => pipelines.get(request.socket)!.add(request, response),
    end: (socket, refuse) => pipelines.get(socket)!.end(refuse),
    isHeld: (socket) => pipelines.get(socket)!.isHeld(),
  };
}

function createPipeline(socket: Socket, listener: RequestListener): Pipeline {
  /** Functions that start the requests after the current one, in order. The last one may refuse malformed input instead. */
  const waiting: (() => void)[] = [];
  let current: ServerResponse | null = null;
  let latest: IncomingMessage | null = null;
  /** Lower bound of the number of bytes that have not arrived yet in the body of `latest`. */
  let bodyBytes = 0;
  let hasEnded = false;

  function mayRead(): boolean {
    // While a request waits for its turn, nothing is read: its listener does not run yet, so its body would fill memory.
    if (hasEnded || waiting.length > 0 || socket.writableNeedDrain) return false;
    // Reading continues when the listener has consumed the part of the body that has arrived.
    return latest === null || latest.complete || latest.readableLength < latest.readableHighWaterMark;
  }

  function read(): void {
    while (mayRead()) {
      const size = Math.min(Math.max(stepBytes, bodyBytes), socket.readableLength);
      bodyBytes -= size;
      // The parser calls `add` for each request during `read`.
      if (socket.read(size) === null) return;
    }
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    current = response;
    // `setImmediate` lets other connections run first, because one connection may send requests without end.
    response.once("close", () => setImmediate(next));
    listener(request, response);
  }

  function next(): void {
    current = null;
    // The connection closes after this response, or the caller has disconnected. So no further request is processed (RFC 9112 §9.6).
    if (!socket.writable) return drop();
    waiting.shift()?.();
    read();
  }

  /**
   * Reads and discards all further input. If bytes stayed unread, closing the connection would reset it, and the caller would lose the last
   * response.
   */
  function drop(): void {
    hasEnded = true;
    waiting.length = 0;
    socket.off("readable", read).removeAllListeners("data").resume();
  }

  function linger(): void {
    drop();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }

  for (const event of ["readable", "resume", "drain"]) socket.on(event, read);
  return {
    add(request, response) {
      latest = request;
      // The bytes that were read last may already contain up to `stepBytes` of the body.
      bodyBytes = Number(request.headers["content-length"] ?? 0) - stepBytes;
      if (current === null) answer(request, response);
      else waiting.push(() => answer(request, response));
    },
    end(refuse) {
      if (hasEnded) return;
      hasEnded = true;
      const refuseNow = (): void => {
        refuse(current);
        linger();
      };
      if (current?.req.complete !== true) return refuseNow();
      // The latest request is malformed and will never be complete.
      if (latest?.complete === false) waiting.pop();
      waiting.push(refuseNow);
    },
    isHeld: () => current?.req.complete === true && socket.readableLength > 0,
  };
}
