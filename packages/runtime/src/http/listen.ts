import { addAbortListener, once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { StartupError } from "../startup-error.ts";
import { nodeHttp } from "./node-http.ts";

/** Starts to listen. With port 0, the system chooses a port. Rejects with StartupError if the address is taken, forbidden or not local. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<AddressInfo> {
  keepUnsentResponses(server);
  server.listen({ host, port });
  try {
    await once(server, "listening");
  } catch (error) {
    throw explainListenError(error as NodeJS.ErrnoException, host, port);
  }
  return server.address() as AddressInfo;
}

/** Keeps Node from closing a connection as idle while a response is not sent completely. While there is such a connection, none is closed as idle. */
function keepUnsentResponses(server: Server): void {
  /**
   * Unfinished responses per connection. They are not tracked by listeners on the response: a download has ten listeners already, and with an
   * eleventh Node prints a warning.
   */
  const unfinished = new Map<Socket, readonly ServerResponse[]>();
  server.on("connection", (socket: Socket) => socket.once("close", () => unfinished.delete(socket)));
  server.prependListener("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    // Node reads the next requests early, so the response that is being sent may be older than the latest one.
    const earlier = unfinished.get(socket)?.filter(({ writableFinished }) => !writableFinished) ?? [];
    unfinished.set(socket, [...earlier, response]);
  });
  server.closeIdleConnections = () => {
    const isUnsent = [...unfinished.values()]
      .flat()
      .some(({ writableEnded, writableFinished }) => writableEnded && !writableFinished);
    if (!isUnsent) nodeHttp.Server.prototype.closeIdleConnections.call(server);
  };
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken by another process. Stop that process or choose another port.`,
    EACCES: `Port ${port} on ${host} may not be opened by this user. Choose a port above 1023.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Listen on 0.0.0.0 or 127.0.0.1.`,
    ENOTFOUND: `The host ${host} cannot be resolved. Listen on 0.0.0.0 or 127.0.0.1.`,
  };
  const reason = reasons[error.code ?? ""];
  return reason === undefined ? error : new StartupError(reason, { cause: error });
}

/** Accepts no more connections, closes idle ones and waits for running requests. When the signal aborts, closes all connections. */
export async function closeServer(server: Server, signal: AbortSignal): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A keep-alive connection can become idle after `close()` has looked for idle connections.
  const sweep = setInterval(() => server.closeIdleConnections(), 200);
  using _ = addAbortListener(signal, () => server.closeAllConnections());
  await closed.finally(() => clearInterval(sweep));
}
