import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RenderRequest } from "@reports/core/report";
import { createLogger } from "@reports/runtime";
import { selectReportTypeEnvironment } from "@reports/type-loader";
import { defaultBrand } from "../brand/brand.ts";
import { createRendererPool } from "./renderer-pool.ts";

// Program with one renderer, which a test kills. The renderer writes its process ID to the file "pid" in the folder, and then loops forever.
const folder = process.argv[2]!;
const pool = createRendererPool({
  entry: fileURLToPath(new URL("renderer-under-test.fixture.ts", import.meta.url)),
  settings: {
    sources: { main: { url: "postgres://unused", engine: "postgres" } },
    csvFormulaGuard: true,
    brand: defaultBrand,
    reportTypes: { modules: [], directory: "/unused", builtIn: true },
  },
  environment: selectReportTypeEnvironment(process.env, "TYPES_"),
  size: 1,
  maxHeapMebibytes: 64,
  maxRssBytes: 1024 ** 3,
  recycleRssBytes: 1024 ** 3,
  abortGraceMs: 200,
  onUnusable: () => undefined,
  logger: createLogger({ name: "test", level: "silent" }),
});
await pool.start();
const context = { signal: new AbortController().signal, onProgress: () => undefined };
const request = { reportId: "id", attempt: 1, runTimeLimitMs: 3_600_000 } as RenderRequest;
await pool.render({ ...request, title: "succeed", spoolPath: join(folder, "pid") }, context);
await pool.render({ ...request, title: "loop forever", spoolPath: join(folder, "looping") }, context);
