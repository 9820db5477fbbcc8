import type { RequestListener, Server } from "node:http";
import type { IdMaker } from "@reports/core/base";
import { createConnectionObserver, reservedForProbes, type Logger, type Metrics } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";
import { createHttpServer } from "./server.ts";

/** Connections per address, where an address is one caller. */
const defaultPerAddress = 200;
/** Ordinary connections of PROBE_PORT. */
const probeConnections = 100;

/** Makes the server of PORT and, if there is a PROBE_PORT, the probes' server. Both answer probes by the same listener. */
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
  // Behind proxies, all callers share the proxies' addresses.
  const perAddress = config.connectionLimitPerAddress ?? (config.trustedProxyHops > 0 ? 0 : defaultPerAddress);
  const server = createHttpServer(listener, {
    ...shared,
    limits: { ...limits, connections: { total: config.connectionLimit, perAddress, ...reservedForProbes } },
  });
  const probeServer =
    config.probePort === undefined
      ? undefined
      : createHttpServer(listener, {
          ...shared,
          limits: { ...limits, connections: { total: probeConnections, perAddress: 0, ...reservedForProbes } },
          servesProbesOnly: true,
        });
  return { server, probeServer };
}
