import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { closeServer, listen } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";

/** Returns the two lifecycle steps in which the API listens: first for probes, last for all other requests. */
export function composeListening(
  { server, probeServer }: { readonly server: Server; readonly probeServer: Server | undefined },
  config: ApiConfig,
  steps: { readonly onReady: (address: AddressInfo) => void; readonly onStop: () => void },
) {
  const { host, shutdownDelaySeconds, shutdownGraceSeconds } = config;
  const [early, earlyPort] = probeServer === undefined ? [server, config.port] : [probeServer, config.probePort!];
  let listensAt: AddressInfo | undefined;
  return {
    /**
     * This step comes first, so that the platform sees a live process while the API waits for the database. Until the last step, PORT
     * answers all requests except probes with 503. With PROBE_PORT, PORT stays closed until the last step. A load balancer that sends no
     * probes then connects to another instance.
     */
    probes: {
      name: "probes",
      start: async () => void (listensAt = await listen(early, { host, port: earlyPort })),
      stop: async (signal: AbortSignal) => closeServer(early, signal),
    },
    http: {
      name: "http",
      start: async () => {
        if (early !== server) listensAt = await listen(server, { host, port: config.port });
        steps.onReady(listensAt!);
      },
      stop: async (signal: AbortSignal) => {
        // Makes callers with keep-alive connections reconnect, which leads them to other instances.
        server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
        // /health/ready already fails. The load balancer needs time to notice that before the API refuses connections.
        await wait(shutdownDelaySeconds * 1000, undefined, { signal }).catch(() => undefined);
        steps.onStop();
        await closeServer(server, signal);
      },
      stopTimeoutMs: (shutdownDelaySeconds + shutdownGraceSeconds) * 1000,
    },
  };
}
