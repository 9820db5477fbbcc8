import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";

/** Bytes for the parser at a time. The shortest requests have 18 bytes, so that at most 14 are parsed at a time. */
const stepBytes = 256;
/** How long the caller of a closing connection has to read the last response. */
const lingerMs = 1_000;

interface Pipeline {
  add(request: IncomingMessage, response: ServerResponse): void;
  /** Refuses malformed input after the responses to earlier requests, with the response in progress if its body is refused. */
  end(refuse: (inProgress: ServerResponse | null) => void): void;
  /** Whether unread bytes wait for a response: the caller is not late with them. */
  isHeld(): boolean;
}

export interface SerialisedRequests {
  readonly listener: RequestListener;
  end(socket: Duplex, refuse: (inProgress: ServerResponse | null) => void): void;
  isHeld(socket: Duplex): boolean;
}

/**
 * Serialises each connection's pipelined requests (RFC 9112 §9.3.2): the listener gets the next one when the kernel has taken the response before. Node parses up to 64
 * KiB in one go: 1,500 small requests, or unread responses.
 * A stream with a `readable` listener emits `data`, by which Node's HTTP server reads, only for `read(size)`. So this reads in small steps, except within a body of
 * known length. The rest stays in the socket's buffer and with the caller. docs/decisions/0021-requests-are-answered-in-turn.md.
 */
export function serialisePipelined(server: Server, listener: RequestListener): SerialisedRequests {
  const pipelines = new WeakMap<Duplex, Pipeline>();
  server.on("connection", (socket) => pipelines.set(socket, createPipeline(socket, listener)));
  return {
    listener: (request, response) => pipelines.get(request.socket)!.add(request, response),
    end: (socket, refuse) => pipelines.get(socket)!.end(refuse),
    isHeld: (socket) => pipelines.get(socket)!.isHeld(),
  };
}

function createPipeline(socket: Socket, listener: RequestListener): Pipeline {
  /** Requests after the current one, and perhaps a refusal. */
  const waiting: (() => void)[] = [];
  let current: ServerResponse | null = null;
  let latest: IncomingMessage | null = null;
  /** At least so many further bytes belong to the body of `latest`. */
  let bodyBytes = 0;
  let hasEnded = false;

  function mayRead(): boolean {
    // A waiting request would keep its body in memory, unknown to the listener.
    if (hasEnded || waiting.length > 0 || socket.writableNeedDrain) return false;
    // The listener must still read the body so far.
    return latest === null || latest.complete || latest.readableLength < latest.readableHighWaterMark;
  }

  function read(): void {
    while (mayRead()) {
      const size = Math.min(Math.max(stepBytes, bodyBytes), socket.readableLength);
      bodyBytes -= size;
      // The parser calls `add` meanwhile.
      if (socket.read(size) === null) return;
    }
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    current = response;
    // Other connections come first: the kernel may take responses endlessly.
    response.once("close", () => setImmediate(next));
    listener(request, response);
  }

  function next(): void {
    current = null;
    // The last response, or the caller has left. RFC 9112 §9.6: no further request is processed.
    if (!socket.writable) return drop();
    waiting.shift()?.();
    read();
  }

  /** Drops everything waiting or still arriving. Unread bytes of a closing connection take the last response with them. */
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
      // The step that ended the headers may include the body's beginning.
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
      // It is about the latest request, which will never be complete.
      if (latest?.complete === false) waiting.pop();
      waiting.push(refuseNow);
    },
    isHeld: () => current?.req.complete === true && socket.readableLength > 0,
  };
}
