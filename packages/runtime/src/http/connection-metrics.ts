import type { Server } from "node:http";
import { promisify } from "node:util";
import type { Logger } from "../log/logger.ts";
import { combineLabels, type Metrics } from "../metrics.ts";
import { connectionRefusalReasons, type ConnectionRefusalReason } from "./connection-quota.ts";
import type { UnreadOutputMeter } from "./unread-output-meter.ts";

export interface ConnectionObserver {
  watch(server: Server, unread: UnreadOutputMeter): void;
  onRefused(reason: ConnectionRefusalReason): void;
  onUnreadOutput(dropped: { readonly waitingBytes: number; readonly totalBytes: number }): void;
  onSlowReader(dropped: { readonly waitingBytes: number; readonly takenBytes: number }): void;
}

export function createConnectionObserver(metrics: Metrics, logger: Logger): ConnectionObserver {
  const watched: { readonly server: Server; readonly unread: UnreadOutputMeter }[] = [];
  const refused = metrics.counter({
    name: "reports_http_connections_refused_total",
    help: "Connections refused because a limit was reached, by reason: address (of one address), total (of the port).",
    labels: ["reason"],
    series: combineLabels({ reason: connectionRefusalReasons }),
  });
  const dropped = metrics.counter({
    name: "reports_http_readers_dropped_total",
    help: "Connections closed because the process buffered too many bytes of responses that were not being read.",
  });
  metrics.polledGauge(
    {
      name: "reports_http_unread_bytes",
      help: "Bytes of responses that are buffered because their callers have not read them yet.",
    },
    () => [{ value: watched.reduce((sum, { unread }) => sum + unread.bytes(), 0) }],
  );
  metrics.polledGauge(
    { name: "reports_http_connections", help: "Connections that are open on all ports of the process." },
    async () => {
      const counts = watched.map(async ({ server }) =>
        server.listening ? promisify(server.getConnections.bind(server))() : 0,
      );
      return [{ value: (await Promise.all(counts)).reduce((sum, count) => sum + count, 0) }];
    },
  );
  return {
    watch: (server, unread) => void watched.push({ server, unread }),
    onRefused: (reason) => refused.inc({ reason }),
    onUnreadOutput(reader) {
      dropped.inc();
      logger.info("client dropped: too much unread output", reader);
    },
    onSlowReader: (reader) => logger.info("slow reader dropped", reader),
  };
}
