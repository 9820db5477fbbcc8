import { extname, join } from "node:path";
import { reportTypeChoiceOf } from "@reports/runtime";
import type { WorkerDatabases } from "../compose-databases.ts";
import { composeHostWatch } from "../host/compose-host-watch.ts";
import { createSpoolFolder } from "../spool/spool-folder.ts";
import type { StoreParts } from "../store/compose-store-parts.ts";
import type { WorkerContext } from "../worker-parts.ts";
import { createRendererPool } from "./renderer-pool.ts";

// The compiler does not rewrite paths, so the extension is that of this file: .ts in the source tree, .js in a build.
const rendererEntryPath = join(import.meta.dirname, `renderer-main${extname(import.meta.filename)}`);

export type RenderingParts = ReturnType<typeof composeRenderingParts>;

export function composeRenderingParts(base: WorkerContext, { sources }: WorkerDatabases, { prove }: StoreParts) {
  const { config, metrics, logger, unique } = base;
  const { concurrency } = config;
  const renderers = createRendererPool({
    entry: rendererEntryPath,
    settings: {
      sources,
      parallelWorkers: config.reportParallelWorkers,
      csvFormulaGuard: config.csvFormulaGuard,
      brand: base.brand,
      reportTypes: reportTypeChoiceOf(config),
    },
    environment: base.rendererEnvironment,
    size: concurrency,
    maxHeapMebibytes: 512,
    maxRssBytes: 1024 ** 3,
    recycleRssBytes: 300 * 1024 ** 2,
    abortGraceMs: 2_000,
    // The pool calls this if a module of report types has changed and can't be loaded. The worker then ends, and reports the problem at its next
    // start.
    onUnusable: (error) => void base.shutDown("the report types can no longer be loaded", error),
    logger,
  });
  const spool = createSpoolFolder({
    directory: config.spoolDir ?? null,
    unique,
    maxFileBytes: config.spoolMaxBytes,
    concurrency,
    logger,
  });
  const host = composeHostWatch({ metrics, spool, renderers, prove, clocks: base.clocks.host, logger });
  return { renderers, spool, host };
}
