import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";

/** The parser gets this many bytes at a time. The shortest requests have 18 bytes, so that at most 14 are parsed at a time. */
const stepBytes = 256;
/** How long a caller whose connection is closing has to read the last response. */
const lingerMs = 1_000;

/** The requests of one connection. */
interface Pipeline {
  add(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Refuses what is not a request, and reads nothing more as HTTP. `refuse` is called after the responses to earlier requests. It gets the
   * response in progress if the refusal is about the body of its request.
   */
  end(refuse: (inProgress: ServerResponse | null) => void): void;
  /** Reports whether unread bytes wait here for a response. The caller is not late with them. */
  isHeld(): boolean;
}

/** Serialises the requests of each connection of a server. */
export interface SerialisedRequests {
  readonly listener: RequestListener;
  /** See `Pipeline.end`. */
  end(socket: Duplex, refuse: (inProgress: ServerResponse | null) => void): void;
  /** See `Pipeline.isHeld`. */
  isHeld(socket: Duplex): boolean;
}

/**
 * Serialises the pipelined requests (RFC 9112 §9.3.2) of each connection: the listener gets the next one when the kernel has taken the
 * response before. Node parses all requests of up to 64 KiB in one go, so that 1,500 small ones would be 1,500 objects, or responses, that
 * nobody reads.
 *
 * A stream with a `readable` listener emits `data`, by which Node's HTTP server reads, only for what `read(size)` returns. So this reads in
 * small steps, except within a body of a known length. The rest stays in the socket's buffer and with the caller. docs/decisions/0021-requests-are-answered-in-turn.md.
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
  /** Requests behind the one that is being answered, and perhaps a refusal behind them. */
  const waiting: (() => void)[] = [];
  let current: ServerResponse | null = null;
  let latest: IncomingMessage | null = null;
  /** At least this many bytes after those that were read belong to the body of `latest`, and so to no other request. */
  let bodyBytes = 0;
  let hasEnded = false;

  function mayRead(): boolean {
    // A waiting request would keep its body in memory, which the listener does not know of.
    if (hasEnded || waiting.length > 0 || socket.writableNeedDrain) return false;
    // The listener is still to read the body so far.
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
    // Other connections come first: the kernel may take one response after the other without an end.
    response.once("close", () => setImmediate(next));
    listener(request, response);
  }

  function next(): void {
    current = null;
    // That was the last response, or the caller has left. RFC 9112 §9.6: no further request is processed.
    if (!socket.writable) return drop();
    waiting.shift()?.();
    read();
  }

  /** Drops everything that waits or still comes. Bytes that stay unread when a connection is closed take the last response with them. */
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
      // The step that ended the headers may have brought the beginning of the body.
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
