import { findServedTypeVersions } from "@reports/core/report";
import { createQueuePool, createWorkerRegistry, laneSchemaName } from "@reports/db";
import type { WorkerDatabases } from "../compose-databases.ts";
import { createWorkerRegistration } from "../maintenance/create-worker-registration.ts";
import { createWorkerHeartbeat } from "../maintenance/worker-heartbeat.ts";
import type { RenderingParts } from "../renderer/compose-rendering-parts.ts";
import type { ReportTypeWatch } from "../report-types/report-type-watch.ts";
import type { StoreParts } from "../store/compose-store-parts.ts";
import type { WorkerContext } from "../worker-parts.ts";
import { createJobRunner } from "./job-runner.ts";
import { createLaneSlotGate } from "./lane-slot-gate.ts";

export type JobParts = ReturnType<typeof composeJobParts>;

export function composeJobParts(
  { config, catalogue, clocks, unique, logger, shutDown }: WorkerContext,
  { database }: WorkerDatabases,
  parts: { readonly typeWatch: ReportTypeWatch; readonly store: StoreParts; readonly rendering: RenderingParts },
) {
  const { identity } = parts.store;
  const { host } = parts.rendering;
  const { lanes, concurrency } = config;
  const self = createWorkerRegistration(config, unique);
  const gate = createLaneSlotGate({
    lanes,
    concurrency,
    mayAcquire: () => identity.state() !== "mismatch" && host.mayAcquire(),
  });
  const runner = createJobRunner({
    lanes,
    schemaOf: (lane) => laneSchemaName(config.queueSchema, lane),
    gate,
    pool: createQueuePool({
      url: config.databaseUrl.reveal(),
      max: concurrency + lanes.length + 1,
      onLost: (error) => logger.warn("job queue connection lost", { error }),
    }),
    concurrency,
    logger,
    graceMs: config.shutdownGraceSeconds * 1000,
    pollGraceMs: clocks.life.graceMs,
    onUnexpectedEnd: (error) => void shutDown("the job runner ended", error),
  });
  const registry = createWorkerRegistry(database);
  const heartbeat = createWorkerHeartbeat({
    registry,
    identity: self,
    servedTypes: () => (host.mayAcquire() ? findServedTypeVersions(catalogue, parts.typeWatch) : {}),
    spoolBytes: host.spoolBytes,
    poolIds: runner.poolIds,
    clocks: clocks.life,
    onLost: (error) => {
      runner.abandon();
      void shutDown("the worker's heartbeat is lost", error);
    },
    logger,
  });
  return { gate, runner, registry, heartbeat, workerId: self.workerId };
}
