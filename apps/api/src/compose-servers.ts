import type { RequestListener, Server } from "node:http";
import type { IdMaker } from "@reports/core/base";
import { createConnectionObserver, reservedProbeConnections, type Logger, type Metrics } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";
import { createHttpServer } from "./server.ts";

const defaultConnectionsPerAddress = 200;
/** Limit of open connections on PROBE_PORT. Further connections count as reserved, so the server closes each of them after one response. */
const maxProbeConnections = 100;

export function composeServers(
  listener: RequestListener,
  config: ApiConfig,
  deps: {
    readonly newId: IdMaker;
    readonly metrics: Metrics;
    readonly logger: Logger;
    readonly hasStarted: () => boolean;
  },
): { readonly server: Server; readonly probeServer: Server | undefined } {
  const { newId, hasStarted } = deps;
  const shared = {
    newId,
    hasStarted,
    basePath: config.basePath,
    observer: createConnectionObserver(deps.metrics, deps.logger),
  };
  const limits = {
    slowReaders: {
      bytesPerSecond: config.slowReaderBytesPerSecond,
      patienceMs: config.slowReaderPatienceSeconds * 1000,
    },
    unreadOutputBytes: config.unreadOutputBytes,
  };
  // Behind a proxy, all clients share the address of the proxy, so a limit per address would block them all.
  const perAddress =
    config.connectionLimitPerAddress ?? (config.trustedProxyHops > 0 ? 0 : defaultConnectionsPerAddress);
  const server = createHttpServer(listener, {
    ...shared,
    limits: { ...limits, connections: { total: config.connectionLimit, perAddress, ...reservedProbeConnections } },
  });
  const probeServer =
    config.probePort === undefined
      ? undefined
      : createHttpServer(listener, {
          ...shared,
          limits: {
            ...limits,
            connections: { total: maxProbeConnections, perAddress: 0, ...reservedProbeConnections },
          },
          servesProbesOnly: true,
        });
  return { server, probeServer };
}
