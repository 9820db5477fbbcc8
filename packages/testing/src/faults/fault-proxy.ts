import { once } from "node:events";
import { createServer } from "node:net";
import type { Server, Socket } from "node:net";
import { findFreePort } from "../postgres/free-port.ts";
import { isHttpFault } from "./proxy-fault.ts";
import type { ProxyFault } from "./proxy-fault.ts";
import { createHttpFaultServer } from "./http-faults.ts";
import { forwardWithFaults } from "./tunnel.ts";

export type FaultProxy = Awaited<ReturnType<typeof createFaultProxy>>;

const host = "127.0.0.1";

export async function createFaultProxy(options: {
  readonly upstream: { readonly host: string; readonly port: number };
  readonly port?: number;
}) {
  const upstream = { host: options.upstream.host, port: options.upstream.port };
  const sockets = new Set<Socket>();
  let connections = 0;
  let endedBytes = 0;
  let fault: ProxyFault = { kind: "none" };
  let change = new AbortController();
  const httpFaults = createHttpFaultServer(upstream, () => fault);

  const accept = (socket: Socket): void => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      endedBytes += socket.bytesRead;
    });
    if (isHttpFault(fault)) httpFaults.emit("connection", socket);
    else forwardWithFaults(socket, upstream, () => ({ fault, changed: change.signal }));
  };
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };

  // An ephemeral port is not used, because another process could get it while this proxy refuses connections.
  const port = options.port ?? (await findFreePort(host));
  let listener: Server | null = await listenOnPort(accept, port);

  return {
    host,
    port,
    cut,
    get openConnections() {
      return sockets.size;
    },
    get connections() {
      return connections;
    },
    get bytesFromClients() {
      return [...sockets].reduce((sum, socket) => sum + socket.bytesRead, endedBytes);
    },
    async set(next: ProxyFault) {
      const previous = fault;
      fault = next;
      const ended = change;
      change = new AbortController();
      if (isHttpFault(previous) || isHttpFault(next) || next.kind === "refuse") cut();
      ended.abort();
      if (next.kind === "refuse" && listener !== null) {
        const closing = listener;
        listener = null;
        await new Promise((resolve) => closing.close(resolve));
      }
      if (next.kind !== "refuse") listener ??= await listenOnPort(accept, port);
    },
    async [Symbol.asyncDispose]() {
      fault = { kind: "none" };
      change.abort();
      cut();
      const closing = listener;
      if (closing !== null) await new Promise((resolve) => closing.close(resolve));
    },
  };
}

async function listenOnPort(accept: (socket: Socket) => void, port: number): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, accept);
  server.listen(port, host);
  await once(server, "listening");
  return server;
}
