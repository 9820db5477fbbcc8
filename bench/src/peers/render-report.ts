import { rm } from "node:fs/promises";
import { join } from "node:path";
import type * as core from "@reports/core";
import type * as db from "@reports/db";

/**
 * Renders the whole PROXY_DOMAIN report of a database with the built code of any checkout, as one of its renderers does, and prints its wall
 * and processor time in ms, its peak memory in MB and the size of the file in bytes, as JSON. The file is removed.
 * `node … <checkout> <url> <format> <file>`
 */
const [checkout = "", url = "", format = "", spoolPath = ""] = process.argv.slice(2);

interface WorkerModules {
  readonly createRenderer: (deps: {
    readonly rowSource: core.RowSourceReader;
    readonly catalogue: Pick<core.ReportCatalogue, "find">;
    readonly csvFormulaGuard: boolean;
    readonly brand: unknown;
  }) => core.Render;
  readonly plainBrand: unknown;
}

async function load<Module>(path: string): Promise<Module> {
  return (await import(join(checkout, path))) as Module;
}

const { createRenderer } = await load<WorkerModules>("apps/worker/dist/renderer/render-report.js");
const { plainBrand } = await load<WorkerModules>("apps/worker/dist/brand/brand.js");
const { createReportSource } = await load<typeof db>("packages/db/dist/index.js");
const { builtInReportTypes } = await load<typeof core>("packages/core/dist/index.js");

const definition = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
const render = createRenderer({
  rowSource: createReportSource({ url }),
  catalogue: { find: (type) => (type === definition.type ? definition : undefined) },
  csvFormulaGuard: true,
  brand: plainBrand,
});
const now = new Date().toISOString();
const startedAt = performance.now();
const processorBefore = process.cpuUsage();
const { sizeBytes } = await render(
  {
    reportId: "01930000-0000-7000-8000-000000000001",
    attempt: 1,
    reportType: definition.type,
    title: definition.title,
    requestedBy: "basic:bench",
    requesterName: null,
    createdAt: now,
    now,
    searchParam: {},
    spoolPath,
    maxSpoolBytes: 2 ** 40,
    maxRows: 10_000_000,
    runTimeLimitMs: 3_600_000,
    keptRowsPath: null,
    options: {
      format: format as core.ReportFormat,
      csvBom: true,
      compression: "none",
      columns: definition.columns.map(({ key }) => key),
      sort: [],
      groupBy: null,
      timezone: "UTC",
      locale: "en",
      paper: "A4",
      orientation: "auto",
      accessible: null,
      keepRows: false,
    },
  },
  { signal: new AbortController().signal, onProgress: () => undefined },
);
const { user, system } = process.cpuUsage(processorBefore);
const measured = {
  ms: performance.now() - startedAt,
  processorMs: (user + system) / 1000,
  peakMb: process.resourceUsage().maxRSS / 1024,
  sizeBytes,
};
await rm(spoolPath);
process.stdout.write(JSON.stringify(measured));
process.exit(0);
