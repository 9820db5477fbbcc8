import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { closeServer, listen } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";

/** Derives the two steps in which the API listens: first for probes, last for everything else. */
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
     * Comes first, so that the platform sees that the process is alive while it waits for the database. On PORT, everything but probes gets
     * 503 until the last step. If probes have their own port, PORT stays closed until then: a load balancer that sends no probes uses
     * another instance.
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
        // Callers that keep their connections open new ones, at other instances.
        server.prependListener("request", (_, response) => response.setHeader("Connection", "close"));
        // Readiness fails already. The load balancer needs time to see it before connections are refused.
        await wait(shutdownDelaySeconds * 1000, undefined, { signal }).catch(() => undefined);
        steps.onStop();
        await closeServer(server, signal);
      },
      stopTimeoutMs: (shutdownDelaySeconds + shutdownGraceSeconds) * 1000,
    },
  };
}
