import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  listChildProcesses,
  checkoutFolder,
  readStartScriptFlags,
  startStand,
  type StandProcess,
} from "@reports/testing";
import { readPeakMemoryMebibytes, readProcessorMs, runProgram } from "./programs.ts";

export interface BenchReport {
  readonly id: string;
  readonly status: string;
  readonly rowCount: number | null;
  readonly error: { readonly detail: string } | null;
  readonly file: { readonly size: number } | null;
  readonly links?: unknown;
}

export type BenchService = Awaited<ReturnType<typeof startBenchService>>;

/** Only single sections measure the limits and the reconciler, so both are off otherwise. The process of the reconciler would count as a renderer. */
const limitsOff = {
  RECONCILER: "off",
  SPOOL_MAX_BYTES: "16GiB",
  START_LIMIT_PER_MINUTE: "0",
  UNFINISHED_REPORT_LIMIT: "0",
  READ_LIMIT_PER_MINUTE: "0",
  OVERLOAD_QUEUE_LENGTH: "0",
  OVERLOAD_QUEUE_AGE_SECONDS: "0",
};

/** Starts new processes for one measurement, so that their peak memory is due to the measured work only. */
export async function startBenchService(
  databaseUrl: string,
  options: {
    readonly workers?: number;
    readonly concurrency?: number;
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
) {
  await using parts = new AsyncDisposableStack();
  const stand = parts.use(
    await startStand({
      database: { url: databaseUrl },
      store: "folder",
      environment: {
        ...limitsOff,
        WORKER_CONCURRENCY: String(options.concurrency ?? 1),
        // The section `downloads` aborts downloads, and the API would log each as an error.
        LOG_LEVEL: "fatal",
        ...options.environment,
      },
      program: (app) => ({
        args: [...readStartScriptFlags(checkoutFolder, app), join(checkoutFolder, "apps", app, "dist/main.js")],
      }),
      // The processes write audit lines at every log level. Files are used, because reading these lines from a pipe would slow down the load
      // generator.
      logFiles: true,
    }),
  );
  // The store folder is new, but a reused database has the store ID of an earlier folder. Without this adoption, the worker refuses the folder.
  const storeMarker = join(checkoutFolder, "apps/worker/dist/commands/store-marker.js");
  await runProgram(process.execPath, [storeMarker, "adopt", "--force"], stand.environment);
  const api = await stand.addApi();
  for (let number = 0; number < (options.workers ?? 1); number++) await stand.addWorker();

  const pidOf = ({ pid }: StandProcess): number => pid!;
  const workerPids = stand.workers.map(pidOf);
  const rendererPids = (): readonly number[] => workerPids.flatMap(listChildProcesses);
  const sum = (pids: readonly number[]): number => pids.reduce((ms, pid) => ms + readProcessorMs(pid), 0);
  const tokens = new Map<string, string>();
  // Each caller uses one token for all its requests, as real clients do.
  const tokenFor = (authorities: readonly string[], subject: string): string => {
    const key = `${subject} ${authorities.join(" ")}`;
    const token = tokens.get(key) ?? stand.token(subject, authorities);
    tokens.set(key, token);
    return token;
  };
  const headersFor = (authorities: readonly string[], subject = "bench") => ({
    authorization: `Bearer ${tokenFor(authorities, subject)}`,
    "content-type": "application/json",
  });
  const headersOfCallers = (callers: number) =>
    Array.from({ length: callers }, (_, index) =>
      headersFor(["REPORT_PROXY"], index === 0 ? "bench" : `bench-${index}`),
    );
  const headers = headersFor(["REPORT_PROXY", "REPORT_PROXY_DOMAIN", "REGISTRY_READ"]);
  const reports = `${stand.origin}/v1/reports`;

  let rendererPeakMb = 0;
  // Reads the peak memory of renderers every 100 ms. A worker replaces large renderers, and the peak of a process is unreadable after its end.
  const samplePeak = (): void => {
    rendererPeakMb = Math.max(rendererPeakMb, ...rendererPids().map(readPeakMemoryMebibytes));
  };
  const sampling = setInterval(samplePeak, 100);
  parts.defer(() => clearInterval(sampling));

  const post = async (url: string, body: object): Promise<BenchReport> => {
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    if (response.status !== 202) throw new Error(`POST ${url}: ${response.status} ${await response.text()}`);
    return (await response.json()) as BenchReport;
  };
  const finish = async (body: object, url: string, read: (id: string) => Promise<BenchReport>, intervalMs: number) => {
    const startedAt = performance.now();
    const { id } = await post(url, body);
    let report = await read(id);
    while (report.status === "QUEUED" || report.status === "RUNNING") {
      await delay(intervalMs);
      report = await read(id);
    }
    const ms = performance.now() - startedAt;
    if (report.status !== "SUCCEEDED") throw new Error(`${url}: ${report.status}, ${report.error?.detail}`);
    return { ms, report };
  };
  const owned = parts.move();
  return {
    origin: stand.origin,
    headers,
    headersFor,
    headersOfCallers,
    filesFolder: join(stand.folder, "files"),
    apiPid: pidOf(api),
    workers: stand.workers.map((worker) => ({ pid: pidOf(worker), origin: worker.origin })),
    /** Returns the peak memory in MB of the largest worker process (`main`) and of the largest renderer. */
    workerMemoryMb: () => {
      samplePeak();
      return { main: Math.max(...workerPids.map(readPeakMemoryMebibytes)), renderer: rendererPeakMb };
    },
    rendererMs: () => sum(rendererPids()),
    processorMs: () => ({ api: readProcessorMs(pidOf(api)), workers: sum(workerPids), renderers: sum(rendererPids()) }),
    /** Runs a report and returns its record, and the ms from the request to the stored file. Deletes the report unless `keep` is set. */
    async run(body: object, { keep = false } = {}) {
      const read = async (id: string): Promise<BenchReport> =>
        (await (await fetch(`${reports}/${id}`, { headers: { ...headers, prefer: "wait=30" } })).json()) as BenchReport;
      const finished = await finish(body, reports, read, 2);
      if (!keep) await fetch(`${reports}/${finished.report.id}`, { method: "DELETE", headers });
      return finished;
    },
    /** Makes an additional format from the row snapshot of a report, and deletes it. Returns the ms from the request to the stored file. */
    async runFile(reportId: string, body: object) {
      const files = `${reports}/${reportId}/files`;
      const read = async (id: string): Promise<BenchReport> =>
        ((await (await fetch(files, { headers })).json()) as readonly BenchReport[]).find((file) => file.id === id)!;
      const { ms, report } = await finish(body, files, read, 5);
      await fetch(`${files}/${report.id}`, { method: "DELETE", headers });
      return ms;
    },
    [Symbol.asyncDispose]: async () => owned.disposeAsync(),
  };
}
