import { constants } from "node:fs";
import { access } from "node:fs/promises";
import {
  HostFailureError,
  workerHostParts,
  StoreMismatchError,
  StoreUnavailableError,
  type FileStat,
  type FileStore,
  type WorkerHostPart,
  type PutFile,
} from "@reports/core/base";
import type { RunDeps } from "@reports/core/report";
import type { Logger, Metrics } from "@reports/runtime";
import type { WorkerTimings } from "../clocks.ts";
import type { RendererPool } from "../renderer/renderer-pool.ts";
import { toSpoolError } from "../renderer/spool-writer.ts";
import type { SpoolFolder } from "../spool/spool-folder.ts";
import { createHostWatch, type HostWatch } from "./host-watch.ts";

/** Failures in a row after which the worker rests, for parts whose failures can have a cause outside this host. */
const failuresInARow = 3;

export function composeHostWatch(deps: {
  readonly metrics: Metrics;
  readonly spool: Pick<SpoolFolder, "glance" | "prove" | "largestFileBytes">;
  readonly renderers: Pick<RendererPool, "prove">;
  readonly prove: (signal: AbortSignal) => Promise<void>;
  readonly clocks: WorkerTimings["host"];
  readonly logger: Logger;
}): HostWatch {
  const { metrics, spool, renderers, clocks, logger } = deps;
  const watch = createHostWatch({
    parts: {
      spool: { restsAfter: 1, prove: spool.prove, glance: spool.glance },
      renderers: { restsAfter: failuresInARow, prove: renderers.prove },
      store: { restsAfter: failuresInARow, prove: deps.prove },
    },
    spoolBytes: spool.largestFileBytes,
    clocks,
    logger,
  });
  metrics.polledGauge(
    {
      name: "report_worker_resting",
      help: "1 while this worker takes no reports because a part of its host is broken, by part.",
      labels: ["part"],
    },
    () => workerHostParts.map((part) => ({ value: watch.isResting(part) ? 1 : 0, labels: { part } })),
  );
  return watch;
}

export function wrapRunDepsWithHostWatch(
  host: Pick<HostWatch, "run">,
  { files, render, fetchKeptRows }: Pick<RunDeps, "files" | "render" | "fetchKeptRows">,
): Pick<RunDeps, "files" | "render" | "fetchKeptRows"> {
  return {
    files: {
      put: async (file) => host.run(["store"], async () => putSpooled(files, file), findFailedPartOfPut),
      remove: async (...given) => files.remove(...given),
    },
    render: async (...given) => host.run(["spool", "renderers"], async () => render(...given)),
    fetchKeptRows: async (...given) => host.run([], async () => fetchKeptRows(...given)),
  };
}

async function putSpooled(files: Pick<FileStore, "put">, file: PutFile): Promise<FileStat> {
  return files.put(file).catch(async (error: unknown) => {
    const unreadable = await access(file.path, constants.R_OK).then(
      () => null,
      (reason: unknown) => toSpoolError(reason),
    );
    throw unreadable ?? error;
  });
}

/** Returns the part of the host that made the put fail, or null. Returns null for a wrong store ID too, because the store watch handles it. */
function findFailedPartOfPut(error: unknown): WorkerHostPart | null {
  if (error instanceof HostFailureError) return error.part;
  return error instanceof StoreUnavailableError && !(error instanceof StoreMismatchError) ? "store" : null;
}
