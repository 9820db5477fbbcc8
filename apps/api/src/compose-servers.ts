import type { RequestListener, Server } from "node:http";
import { promisify } from "node:util";
import type { IdMaker } from "@reports/core";
import { everySeries, type Logger, type Metrics } from "@reports/runtime";
import type { ApiConfig } from "./config.ts";
import { refusalReasons } from "./limits/share-connections.ts";
import { boundUnreadOutput } from "./limits/unread-output.ts";
import { createHttpServer } from "./server.ts";

/** Connections of one address, where addresses are callers. */
const defaultPerAddress = 200;
/** Kept for probes on the port of all others, where they have none of their own. */
const reservedForProbes = 50;
const reservedMs = 10_000;

/** Makes the server of PORT and, where there is a PROBE_PORT, that of the probes. Both answer probes by the same listener. */
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
  const refused = deps.metrics.counter({
    name: "reports_http_connections_refused_total",
    help: "Connections refused because a limit was reached, by reason: address (of one address), total (of the instance).",
    labels: ["reason"],
    series: everySeries({ reason: refusalReasons }),
  });
  const shared = { ...deps, basePath: config.basePath };
  const dropped = deps.metrics.counter({
    name: "reports_http_readers_dropped_total",
    help: "Connections closed because the instance buffered too many bytes of responses that were not being read.",
  });
  const boundOutput = (bounded: Server) =>
    boundUnreadOutput(bounded, config.unreadOutputBytes, (reader) => {
      dropped.inc();
      deps.logger.info("client dropped: too much unread output", reader);
    });
  const slowReaders = {
    bytesPerSecond: config.slowReaderBytesPerSecond,
    patienceMs: config.slowReaderPatienceSeconds * 1000,
  };
  const server = createHttpServer(listener, {
    ...shared,
    limits: {
      slowReaders,
      connections: {
        total: config.connectionLimit,
        // Behind proxies an address is one of theirs, with the connections of everybody.
        perAddress: config.connectionLimitPerAddress ?? (config.trustedProxyHops > 0 ? 0 : defaultPerAddress),
        reserved: config.probePort === undefined ? reservedForProbes : 0,
        reservedMs,
      },
    },
    onRefusedConnection: (reason) => refused.inc({ reason }),
  });
  const unread = boundOutput(server);
  deps.metrics.polledGauge(
    {
      name: "reports_http_unread_bytes",
      help: "Bytes of responses on PORT that are buffered because their callers have not read them yet.",
    },
    () => [{ value: unread.bytes() }],
  );
  deps.metrics.polledGauge(
    { name: "reports_http_connections", help: "Connections that are open on PORT." },
    async () => [{ value: server.listening ? await promisify(server.getConnections.bind(server))() : 0 }],
  );
  const probeServer =
    config.probePort === undefined
      ? undefined
      : createHttpServer(listener, {
          ...shared,
          limits: { slowReaders, connections: { total: 100, perAddress: 0, reserved: 0, reservedMs } },
          servesProbesOnly: true,
        });
  if (probeServer !== undefined) boundOutput(probeServer);
  return { server, probeServer };
}
