import type { IncomingMessage, RequestListener, Server } from "node:http";
import type { Socket } from "node:net";

const endOfHeaders = "\r\n\r\n";
/** `GET / HTTP/1.0` and no header: no request ends earlier. In bytes, without the end. */
const shortestRequest = 14;
/** How long a caller whose connection is closing has to read the last response. */
const lingerMs = 1_000;

/** The requests of one connection. */
interface Pipeline {
  /** A request has arrived (its headers at least). */
  begin(request: IncomingMessage): void;
  /** Its answer has gone to the kernel, or nowhere. */
  end(): void;
  /** Nothing more is read as HTTP. */
  stop(): void;
}

/**
 * Serialises the pipelined requests (RFC 9112 §9.3.2) of a connection: the next is read when the answer before it has been taken. Node reads
 * every request of up to 64 KiB at once, so that a caller who writes 1,500 of them and reads nothing has 1,500 answers made and kept.
 * What is not read yet stays with the caller (the connection is paused), and keeps its order. Bodies pass as they come.
 *
 * Node's HTTP server takes its bytes by a `data` listener; this one stands between, and passes on one request at a time.
 */
export function serialisePipelined(server: Server, listener: RequestListener): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>();
  server.on("connection", (socket) => pipelines.set(socket, readOneByOne(socket)));
  server.prependListener("connect", (_request, socket) => pipelines.get(socket as Socket)?.stop());
  return (request, response) => {
    const pipeline = pipelines.get(request.socket);
    pipeline?.begin(request);
    response.once("close", () => pipeline?.end());
    listener(request, response);
  };
}

function readOneByOne(socket: Socket): Pipeline {
  const [read, ...others] = socket.listeners("data") as ((bytes: Buffer) => void)[];
  if (read === undefined || others.length > 0)
    throw new Error("Node's HTTP server does not read by one data listener.");
  let unread: Buffer | null = null;
  let unanswered = 0;
  let latest: IncomingMessage | null = null;
  /** Paused here, because the request before is not answered yet. */
  let isHeld = false;
  /** Paused by Node, until a body or an answer has been taken; it resumes by itself. */
  let isStopped = false;

  // A request whose body is still to come cannot be answered before that is read.
  const isBusy = (): boolean => unanswered > 0 && latest?.complete !== false;

  function pass(): void {
    while (unread !== null && !isStopped) {
      // Behind a last answer, or a refusal, nothing is read.
      if (!socket.writable) return stop();
      if (isBusy()) {
        isHeld = true;
        socket.pause();
        return;
      }
      const bytes: Buffer = unread;
      const end = bytes.indexOf(endOfHeaders, shortestRequest);
      const length = end < 0 ? bytes.length : end + endOfHeaders.length;
      unread = length < bytes.length ? bytes.subarray(length) : null;
      if (isHeld) socket.resume();
      isHeld = false;
      read!(bytes.subarray(0, length));
      // Node pauses while it reads, and must be given nothing more until it resumes.
      isStopped = socket.isPaused();
    }
  }

  function take(bytes: Buffer): void {
    unread = unread === null ? bytes : Buffer.concat([unread, bytes]);
    if (isHeld) socket.pause();
    else pass();
  }

  function stop(): void {
    unread = null;
    socket.off("data", take);
    // What still comes is read and dropped for a moment: a connection that is closed before takes the last answer with it.
    socket.on("data", () => undefined);
    socket.resume();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }

  socket.off("data", read);
  socket.on("data", take);
  socket.on("resume", () => {
    // Told a turn of the event loop later, when Node may have paused again.
    if (socket.isPaused()) return;
    isStopped = false;
    pass();
  });
  return {
    begin(request) {
      unanswered += 1;
      latest = request;
    },
    end() {
      unanswered -= 1;
      // Other connections come first: a response that the kernel takes immediately would otherwise be followed by the next without an end.
      if (unread !== null) setImmediate(pass);
    },
    stop,
  };
}
