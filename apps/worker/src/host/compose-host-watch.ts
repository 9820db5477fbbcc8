import { constants } from "node:fs";
import { access } from "node:fs/promises";
import {
  HostFailureError,
  hostParts,
  StoreMismatchError,
  StoreUnavailableError,
  type FileStat,
  type FileStore,
  type HostPart,
  type PutFile,
} from "@reports/core/base";
import type { RunDeps } from "@reports/core/report";
import type { Logger, Metrics } from "@reports/runtime";
import type { WorkerClocks } from "../clocks.ts";
import type { RendererPool } from "../renderer/renderer-pool.ts";
import { toSpoolError } from "../renderer/spool-writer.ts";
import type { SpoolFolder } from "../spool/spool-folder.ts";
import { createHostWatch, type HostWatch } from "./host-watch.ts";

/** A failure that other causes than the host can have rests the worker only when it happens again and again. */
const failuresInARow = 3;

/** Watches the parts of this worker's host, and describes in metrics for which of them it rests. */
export function composeHostWatch(deps: {
  readonly metrics: Metrics;
  readonly spool: Pick<SpoolFolder, "glance" | "prove" | "largestFileBytes">;
  readonly renderers: Pick<RendererPool, "prove">;
  /** Writes to the file store. */
  readonly prove: (signal: AbortSignal) => Promise<void>;
  readonly clocks: WorkerClocks["host"];
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
    () => hostParts.map((part) => ({ value: watch.isResting(part) ? 1 : 0, labels: { part } })),
  );
  return watch;
}

/** Runs the parts of attempts that depend on this host, so that it is noted whether they worked. */
export function watchAttempts(
  host: Pick<HostWatch, "run">,
  { files, render, fetchKeptRows }: Pick<RunDeps, "files" | "render" | "fetchKeptRows">,
): Pick<RunDeps, "files" | "render" | "fetchKeptRows"> {
  return {
    files: {
      put: async (file) => host.run(["store"], async () => putSpooled(files, file), partOfPut),
      remove: async (...given) => files.remove(...given),
    },
    render: async (...given) => host.run(["spool", "renderers"], async () => render(...given)),
    fetchKeptRows: async (...given) => host.run([], async () => fetchKeptRows(...given)),
  };
}

/** Puts a finished file into the store. Rejects with HostFailureError if the file can no longer be read from the scratch space. */
async function putSpooled(files: Pick<FileStore, "put">, file: PutFile): Promise<FileStat> {
  return files.put(file).catch(async (error: unknown) => {
    const unreadable = await access(file.path, constants.R_OK).then(
      () => null,
      (reason: unknown) => toSpoolError(reason),
    );
    throw unreadable ?? error;
  });
}

/** The part that a failed put of a file blames. A separate watch handles a store that is not the one of the records. */
function partOfPut(error: unknown): HostPart | null {
  if (error instanceof HostFailureError) return error.part;
  return error instanceof StoreUnavailableError && !(error instanceof StoreMismatchError) ? "store" : null;
}
