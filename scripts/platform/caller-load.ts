import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Gateway, Report } from "@reports/client";

/** Pause in ms of a caller between two reports. The load is light, because the service, Postgres and MinIO share one machine. */
const pauseMs = 400;

/** Maximum ms for which a caller waits for a report. A longer report counts as a failed call, so that the result of the trial names it. */
const reportTimeoutMs = 120_000;

interface StepCounts {
  readonly name: string;
  calls: number;
  retries: number;
  failed: number;
  reports: number;
  slowestMs: number;
  readonly startedAt: number;
  readonly mayRetry: boolean;
}

export interface DownloadedReport {
  readonly id: string;
  readonly sha256: string;
  /** Time in ms since the epoch at which the start request was sent. */
  readonly startedAt: number;
}

interface CallOptions {
  onRetry(retry: { readonly reason: Error }): void;
}

export type CallerLoad = ReturnType<typeof createCallerLoad>;

export function createCallerLoad(announce: (step: string) => void) {
  const steps: StepCounts[] = [];
  const reports: DownloadedReport[] = [];
  /** One line per call that failed, was retried or got 401: step, call and error. */
  const failures: string[] = [];
  const stops: (() => Promise<void>)[] = [];

  async function call<T>(what: string, send: (options: CallOptions) => Promise<T>): Promise<T> {
    const step = steps.at(-1)!;
    step.calls += 1;
    const startedAt = performance.now();
    try {
      return await send({
        onRetry({ reason }) {
          step.retries += 1;
          if (!step.mayRetry) failures.push(`${step.name}: ${what} had to be retried: ${joinCauses(reason)}`);
        },
      });
    } catch (error) {
      step.failed += 1;
      failures.push(`${step.name}: ${what} failed: ${joinCauses(error)}`);
      throw error;
    } finally {
      step.slowestMs = Math.max(step.slowestMs, performance.now() - startedAt);
    }
  }

  const fetchAndCountRefusals: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (response.status === 401) {
      const step = steps.at(-1)!;
      step.failed += 1;
      const { pathname } = new URL(response.url);
      failures.push(`${step.name}: the token of ${init?.method ?? "GET"} ${pathname} was refused (401)`);
    }
    return response;
  };

  async function makeReport(gateway: Gateway, title: string): Promise<void> {
    const startedAt = Date.now();
    const { id } = await call("start", async (options) =>
      gateway.reports.start({ reportType: "PROXY_DOMAIN", format: "csv", title }, options),
    );
    const report = await call("wait", async (options) => {
      const ended = await gateway.reports.wait(id, { ...options, timeoutMs: reportTimeoutMs });
      // The installation guide loads one domain, so every report has exactly one row.
      if (ended.rowCount !== 1) throw new Error(`The report is ${ended.status} with ${String(ended.rowCount)} rows.`);
      return ended;
    });
    const made = await call("download", async (options) => downloadAndHash(gateway, report, options));
    reports.push({ ...made, startedAt });
    steps.at(-1)!.reports += 1;
    await call("list", async (options) => {
      for await (const { items } of gateway.reports.list({ limit: 5 }, options).pages()) return items;
      throw new Error("The list has no page.");
    });
  }

  async function runCaller(gateway: Gateway, index: number, state: { readonly isRunning: boolean }): Promise<void> {
    for (let number = 1; state.isRunning; number++) {
      // `call` has already counted and reported the failure. The caller continues with its next report.
      await makeReport(gateway, `Report ${number} of caller ${index}`).catch(() => undefined);
      await pause(pauseMs);
    }
  }

  return {
    reports,
    failures,
    call,
    /** The `fetch` of the clients. It counts a 401 as a failure, because the client hides it: it gets another token and repeats the request. */
    fetch: fetchAndCountRefusals,
    makeReport,
    /** Begins a step, for which later calls count. A retried call counts as failed, unless `mayRetry` is true because the guide tells callers to retry. */
    begin(name: string, { mayRetry } = { mayRetry: false }): void {
      announce(`${name} …`);
      const counts = { calls: 0, retries: 0, failed: 0, reports: 0, slowestMs: 0 };
      steps.push({ name, ...counts, startedAt: performance.now(), mayRetry });
    },
    start(gateways: readonly Gateway[]): () => Promise<void> {
      const state = { isRunning: true };
      const callers = gateways.map(async (gateway, index) => runCaller(gateway, index + 1, state));
      const stop = async (): Promise<void> => {
        state.isRunning = false;
        await Promise.all(callers);
      };
      stops.push(stop);
      return stop;
    },
    async stop(): Promise<void> {
      for (const stop of stops) await stop();
    },
    table(): string {
      const ends = [...steps.slice(1).map(({ startedAt }) => startedAt), performance.now()];
      const rows = steps.map((step, index) => [
        step.name,
        ...[(ends[index]! - step.startedAt) / 1000].map((seconds) => `${seconds.toFixed(0)} s`),
        ...[step.calls, step.retries, step.failed, step.reports].map(String),
        `${(step.slowestMs / 1000).toFixed(1)} s`,
      ]);
      const head = ["step", "took", "calls", "retries", "failed", "reports", "slowest"];
      const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
      const lines = [head, ...rows].map((row) =>
        row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join("  "),
      );
      return lines.join("\n");
    },
  };
}

function joinCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${joinCauses(error.cause)})`;
}

export async function downloadAndHash(
  gateway: Gateway,
  report: Report,
  options: Parameters<Gateway["reports"]["download"]>[2] = {},
): Promise<Omit<DownloadedReport, "startedAt">> {
  const hash = createHash("sha256");
  const target = new WritableStream<Uint8Array>({ write: (bytes) => void hash.update(bytes) });
  await gateway.reports.download(report, target, options);
  return { id: report.id, sha256: hash.digest("hex") };
}
