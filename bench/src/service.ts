import { spawn, type ChildProcess } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findFreePort, startFlagsOf, waitFor } from "@reports/testing";
import { childrenOf, peakMemoryMb, processorMs, root, runProgram, stopProgram } from "./programs.ts";

/** The parts of a report's record that the bench reads. */
export interface BenchReport {
  readonly id: string;
  readonly status: string;
  readonly rowCount: number | null;
  readonly error: { readonly detail: string } | null;
  readonly file: { readonly size: number } | null;
  readonly links?: unknown;
}

/** The real service as it is deployed: API and worker as built, files in a folder of their own. */
export interface Service extends AsyncDisposable {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The same for a caller with other authorities. */
  headersFor(authorities: readonly string[], subject?: string): Readonly<Record<string, string>>;
  readonly filesFolder: string;
  readonly apiPid: number;
  /** Peak memory of the largest worker's main process and of the largest renderer since they were started. */
  workerMemoryMb(): { readonly main: number; readonly renderer: number };
  /** Processor time that renderers have used since they were started. */
  rendererMs(): number;
  /** The same of all processes. */
  processorMs(): { readonly api: number; readonly workers: number; readonly renderers: number };
  start(body: object): Promise<BenchReport>;
  /** Starts a report and waits for its file; gives the milliseconds between request and file. Deletes the report afterwards unless told to keep it. */
  run(
    body: object,
    options?: { readonly keep?: boolean },
  ): Promise<{ readonly ms: number; readonly report: BenchReport }>;
  /** Asks a report that has kept its rows for a further file; gives the milliseconds until it is there, and deletes it. */
  runFile(reportId: string, body: object): Promise<number>;
}

/** Starts API and worker on a database. A new service has fresh processes: its memory is that of what it is asked for. */
export async function startService(
  databaseUrl: string,
  options: {
    /** Processes of the worker. Default 1. */
    readonly workers?: number;
    readonly concurrency?: number;
    readonly environment?: Readonly<Record<string, string>>;
  } = {},
): Promise<Service> {
  const folder = await mkdtemp(join(tmpdir(), "reports-bench-service-"));
  const filesFolder = join(folder, "files");
  await mkdir(filesFolder);
  const port = await findFreePort();
  const secret = randomBytes(32).toString("hex");
  const environment = {
    ...process.env,
    NODE_OPTIONS: "",
    DATABASE_URL: databaseUrl,
    STORAGE_DIR: filesFolder,
    SPOOL_DIR: join(folder, "spool"),
    SPOOL_MAX_BYTES: "16GiB",
    HOST: "127.0.0.1",
    PORT: String(port),
    WORKER_CONCURRENCY: String(options.concurrency ?? 1),
    AUTH_JWT_SECRET: secret,
    START_LIMIT_PER_MINUTE: "0",
    UNFINISHED_REPORT_LIMIT: "0",
    READ_LIMIT_PER_MINUTE: "0",
    OVERLOAD_QUEUE_LENGTH: "0",
    OVERLOAD_QUEUE_AGE_SECONDS: "0",
    // Callers that leave in the middle are told of as errors, and here they are part of the work.
    LOG_LEVEL: "fatal",
    ...options.environment,
  };
  const run = (
    name: string,
    flags: readonly string[] = [],
    more: Readonly<Record<string, string>> = {},
  ): ChildProcess =>
    spawn(process.execPath, [...flags, join(root, "apps", name, "dist/main.js")], {
      env: { ...environment, ...more },
      // Audit lines are written whatever the level is; what goes wrong shows on stderr, and by an answer.
      stdio: ["ignore", "ignore", "inherit"],
      // In a session of its own, as a service is: Linux gives each session one share of the processors, and every backend of Postgres has one.
      detached: true,
    });
  // The folder is a new one, and the database may know another, which went with the service before.
  const storeMarker = join(root, "apps/worker/dist/commands/store-marker.js");
  await runProgram(process.execPath, [storeMarker, "adopt", "--force"], environment);
  const api = run("api");
  const workers: ChildProcess[] = [];
  const origin = `http://127.0.0.1:${port}`;
  await ready(origin);
  for (let number = 0; number < (options.workers ?? 1); number++) {
    const workerPort = await findFreePort();
    workers.push(run("worker", startFlagsOf(root, "worker"), { WORKER_PORT: String(workerPort) }));
    await ready(`http://127.0.0.1:${workerPort}`);
  }
  const workerPids = workers.map(({ pid }) => pid!);
  const rendererPids = (): readonly number[] => workerPids.flatMap(childrenOf);
  const sum = (pids: readonly number[]): number => pids.reduce((ms, pid) => ms + processorMs(pid), 0);
  const tokens = new Map<string, string>();
  // One for all requests of a caller: callers keep theirs, too.
  const tokenFor = (authorities: readonly string[], subject: string): string => {
    const key = `${subject} ${authorities.join(" ")}`;
    const token = tokens.get(key) ?? signToken(secret, authorities, subject);
    tokens.set(key, token);
    return token;
  };
  const headersFor = (authorities: readonly string[], subject = "bench") => ({
    authorization: `Bearer ${tokenFor(authorities, subject)}`,
    "content-type": "application/json",
  });
  const headers = headersFor(["REPORT_PROXY", "REPORT_PROXY_DOMAIN", "REGISTRY_READ"]);

  let rendererPeakMb = 0;
  // Followed while it works, because a renderer that has grown is replaced afterwards.
  const look = (): void => {
    rendererPeakMb = Math.max(rendererPeakMb, ...rendererPids().map(peakMemoryMb));
  };
  const looking = setInterval(look, 100);

  const start = async (body: object): Promise<BenchReport> => {
    const answer = await fetch(`${origin}/v1/reports`, { method: "POST", headers, body: JSON.stringify(body) });
    if (answer.status !== 202) throw new Error(`The start was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as BenchReport;
  };
  const read = async (id: string): Promise<BenchReport> => {
    const answer = await fetch(`${origin}/v1/reports/${id}`, { headers: { ...headers, prefer: "wait=30" } });
    return (await answer.json()) as BenchReport;
  };
  return {
    origin,
    headers,
    headersFor,
    filesFolder,
    apiPid: api.pid!,
    workerMemoryMb: () => {
      look();
      return { main: Math.max(...workerPids.map(peakMemoryMb)), renderer: rendererPeakMb };
    },
    rendererMs: () => sum(rendererPids()),
    processorMs: () => ({ api: processorMs(api.pid!), workers: sum(workerPids), renderers: sum(rendererPids()) }),
    start,
    async run(body, { keep = false } = {}) {
      const startedAt = performance.now();
      const { id } = await start(body);
      let report = await read(id);
      while (report.status === "QUEUED" || report.status === "RUNNING") {
        await delay(2);
        report = await read(id);
      }
      const ms = performance.now() - startedAt;
      if (report.status !== "SUCCEEDED") throw new Error(`The report ended ${report.status}: ${report.error?.detail}`);
      if (!keep) await fetch(`${origin}/v1/reports/${id}`, { method: "DELETE", headers });
      return { ms, report };
    },
    async runFile(reportId, body) {
      const files = `${origin}/v1/reports/${reportId}/files`;
      const startedAt = performance.now();
      const answer = await fetch(files, { method: "POST", headers, body: JSON.stringify(body) });
      if (answer.status !== 202) throw new Error(`The file was answered ${answer.status}: ${await answer.text()}`);
      const { id } = (await answer.json()) as BenchReport;
      const readFile = async (): Promise<BenchReport> => {
        const all = (await (await fetch(files, { headers })).json()) as readonly BenchReport[];
        return all.find((file) => file.id === id)!;
      };
      let file = await readFile();
      while (file.status === "QUEUED" || file.status === "RUNNING") {
        await delay(5);
        file = await readFile();
      }
      const ms = performance.now() - startedAt;
      if (file.status !== "SUCCEEDED") throw new Error(`The file ended ${file.status}: ${file.error?.detail}`);
      await fetch(`${files}/${id}`, { method: "DELETE", headers });
      return ms;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(looking);
      await stopProgram(api);
      await Promise.all(workers.map(stopProgram));
      await rm(folder, { recursive: true });
    },
  };
}

async function ready(origin: string): Promise<void> {
  const answers = async (): Promise<boolean> =>
    fetch(`${origin}/health/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
  await waitFor(answers, { what: `${origin} to be ready`, timeoutMs: 60_000, intervalMs: 100 });
}

/** A bearer token (HS256). */
function signToken(secret: string, authorities: readonly string[], subject: string): string {
  const now = Math.floor(Date.now() / 1000);
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${encode({ alg: "HS256" })}.${encode({ sub: subject, iat: now, exp: now + 12 * 3600, authorities })}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
