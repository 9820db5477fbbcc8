import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { closeServer, listen } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";

export function composeServerLifecycle(
  { server, probeServer }: { readonly server: Server; readonly probeServer: Server | undefined },
  config: ApiConfig,
  steps: { readonly onReady: (address: AddressInfo) => void; readonly onStop: () => void },
) {
  const { host, shutdownDelaySeconds, shutdownGraceSeconds } = config;
  const [early, earlyPort] = probeServer === undefined ? [server, config.port] : [probeServer, config.probePort!];
  let listensAt: AddressInfo | undefined;
  return {
    /**
     * This step of the start runs before the API has connected to the database, so the platform already sees a live process. Until the step `http`,
     * PORT answers every request except probes with 503. With PROBE_PORT, probes go to that port, and PORT stays closed until the step `http`. So a
     * load balancer that only tests whether PORT is open uses other instances.
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
        // During the shutdown delay, the server closes each connection after its response, so that callers reconnect to other instances.
        server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
        // /health/ready already answers 503. The delay gives the load balancer time to notice that before the API refuses connections.
        await wait(shutdownDelaySeconds * 1000, undefined, { signal }).catch(() => undefined);
        steps.onStop();
        await closeServer(server, signal);
      },
      stopTimeoutMs: (shutdownDelaySeconds + shutdownGraceSeconds) * 1000,
    },
  };
}
