import { spawn, type ChildProcess } from "node:child_process";
import { writeSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { DomainError, PermanentReportError, StoreUnavailableError } from "@reports/core/base";
import type { PreviewReader, PreviewRequestWithRequester } from "@reports/core/report";
import { forwardOutput } from "./forward-output.ts";
import type { ReportTypeChoice } from "./load-report-types.ts";
import { previewChannelFd, previewStopGraceMs, type ObjectPreviewRequest } from "./object-preview-request.ts";
import { createPreviewReplyReader, type ParsedPreviewReply } from "./read-preview-reply.ts";

export interface ObjectPreviewOptions {
  readonly choice: ReportTypeChoice;
  readonly environment: Readonly<Record<string, string>>;
  /** Time limit of a preview, including the start of its process. */
  readonly deadlineMs: number;
  /** Time in which rows may end after a preview has stopped them. After that, their process is killed. Default: 1,000 ms. */
  readonly stopGraceMs?: number;
  /** Called with the cause if a function of a report type failed. The caller of the preview does not see the cause. */
  readonly onBroken: (reportType: string, cause: string) => void;
}

// The compiler does not rewrite this path: the sources run the .ts file, `dist` the .js file.
const programPath = fileURLToPath(import.meta.url).replace(/preview-objects\.(ts|js)$/, "preview-main.$1");
const maxHeapMebibytes = 192;
const maxRssBytes = 384 * 1024 * 1024;
/** Maximum size of a reply, above the largest possible one: 4,000,000 characters of up to 6 bytes in JSON, in up to 1,000 rows. */
const maxReplyBytes = 32 * 1024 * 1024;
const maxOutputBytes = 64 * 1024;

/**
 * Creates the reader of previews of object rows. Each preview runs in a separate process, which ends with it. So a function that loops, exits,
 * fills its memory or writes to its channel does not harm the API. Rejects as `readRows` of ReportPreviewReader does, once the process has ended.
 */
export function createObjectPreviewReader(
  options: ObjectPreviewOptions,
): Pick<PreviewReader<PreviewRequestWithRequester>, "readRows"> {
  const brokenError = (reportType: string, cause: string): PermanentReportError => {
    options.onBroken(reportType, cause);
    return new PermanentReportError(
      "INVALID_DATA",
      "The function that makes them failed. Tell the owner of the report type.",
    );
  };
  return {
    async readRows({ definition, columns, ...request }, signal) {
      signal.throwIfAborted();
      const { type: reportType } = definition;
      const { choice, deadlineMs, environment, stopGraceMs = previewStopGraceMs } = options;
      const child = startProcess(environment, { deadlineMs, stopGraceMs });
      const preview = { ...request, choice, reportType, columns: columns.map(({ key }) => key) };
      const outcome = await observeProcess(child, preview, { deadlineMs, stopGraceMs, signal });
      signal.throwIfAborted();
      if (outcome.kind === "rows") return outcome.rows;
      if (outcome.kind === "late") throw tooSlowError(deadlineMs);
      if (outcome.kind === "invalid") throw brokenError(reportType, outcome.problem);
      if (outcome.failure === "permanent") throw new PermanentReportError("INVALID_DATA", outcome.message);
      if (outcome.failure === "unavailable") throw new StoreUnavailableError(outcome.message);
      throw brokenError(reportType, outcome.message);
    },
  };
}

interface PreviewTimeLimits {
  readonly deadlineMs: number;
  readonly stopGraceMs: number;
}

function startProcess(
  environment: Readonly<Record<string, string>>,
  { deadlineMs, stopGraceMs }: PreviewTimeLimits,
): ChildProcess {
  const args = [
    ...process.execArgv.filter((argument) => argument.startsWith("--conditions=")),
    `--max-old-space-size=${maxHeapMebibytes}`,
    programPath,
    String(deadlineMs + 2 * stopGraceMs),
    String(stopGraceMs),
    String(maxRssBytes),
    getCompileCacheDir() ?? "",
  ];
  // The channel is a pipe and not one of `fork`, because Node would parse each line of that as JSON, and throw in this process for any other
  // text.
  return spawn(process.execPath, args, { env: environment, stdio: ["ignore", "pipe", "pipe", "pipe"] });
}

type Outcome = ParsedPreviewReply | { readonly kind: "late" };

/**
 * Sends the request and resolves with the outcome when the process has ended. Stops the process at the deadline, when the signal aborts, and
 * after the rows.
 */
async function observeProcess(
  child: ChildProcess,
  preview: ObjectPreviewRequest,
  { deadlineMs, stopGraceMs, signal }: PreviewTimeLimits & { readonly signal: AbortSignal },
): Promise<Outcome> {
  let outcome: Outcome | null = null;
  let killTimer: NodeJS.Timeout | undefined;
  let closeTimer: NodeJS.Timeout | undefined;
  const end = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`The process could not be started: ${error.message}`));
    child.once("close", (code, killedBy) => resolve(`The process ended with ${killedBy ?? `exit code ${code}`}.`));
  });
  const channel = openStreams(child);
  const killLater = (): void => {
    killTimer ??= setTimeout(() => child.kill("SIGKILL"), stopGraceMs);
  };
  const stop = (): void => {
    channel?.end();
    killLater();
  };
  const deadline = setTimeout(() => {
    outcome ??= { kind: "late" };
    stop();
  }, deadlineMs);
  signal.addEventListener("abort", stop, { once: true });
  const read = createPreviewReplyReader(maxReplyBytes);
  channel?.on("data", (chunk: Buffer) => {
    if (outcome !== null) return;
    outcome = read(chunk);
    if (outcome?.kind === "invalid") child.kill("SIGKILL");
    else if (outcome !== null) killLater();
  });
  child.once("exit", () => {
    // The pipes are closed here, because processes that the report type's function has started can keep them open.
    closeTimer = setTimeout(() => child.stdio.forEach((stream) => stream?.destroy()), stopGraceMs);
  });
  channel?.write(`${JSON.stringify(preview)}\n`);
  try {
    const ending = await end;
    return outcome ?? { kind: "invalid", problem: ending };
  } finally {
    clearTimeout(deadline);
    clearTimeout(killTimer);
    clearTimeout(closeTimer);
    signal.removeEventListener("abort", stop);
  }
}

/** Returns the channel of a process, and passes its output on. Returns null if the process could not be started, because it then has no pipes. */
function openStreams({ stdio }: Pick<Partial<ChildProcess>, "stdio">): Socket | null {
  if (stdio === undefined) return null;
  const [, stdout, stderr] = stdio;
  // Output of report types goes to standard error, because the standard output of the API is its log.
  for (const output of [stdout, stderr]) forwardOutput(output as Readable, maxOutputBytes, writeToStandardError);
  const channel = stdio[previewChannelFd] as Socket;
  // An error of the channel needs no handling here: the process ends, and that is reported.
  channel.on("error", () => undefined);
  return channel;
}

/** Writes to standard error and ignores errors. `process.stderr` would throw them later, and the process would end. */
function writeToStandardError(chunk: Buffer): void {
  try {
    writeSync(2, chunk);
  } catch {
    // The output of the function is lost, because the reader of standard error is gone or too slow.
  }
}

function tooSlowError(deadlineMs: number): DomainError {
  return new DomainError(
    "unavailable",
    "preview-too-slow",
    `The preview took longer than ${deadlineMs / 1000} s and was stopped. Add a filter, or start a report.`,
    { retryAfterSeconds: 2 },
  );
}
