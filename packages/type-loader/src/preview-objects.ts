import { fork, type ChildProcess } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";
import {
  DomainError,
  PermanentReportError,
  readForeignMessage,
  sanitiseForeignText,
  StoreUnavailableError,
} from "@reports/core/base";
import type { PreviewReader, RequestedPreview } from "@reports/core/report";
import type { ReportTypeChoice } from "./load-report-types.ts";
import type { MessageFromPreview, MessageToPreview } from "./object-preview.ts";

export interface ObjectPreviewOptions {
  readonly choice: ReportTypeChoice;
  /** All variables that the functions of report types see, as `typesEnvironment` returns them. */
  readonly environment: Readonly<Record<string, string>>;
  /** Time limit of a preview, including the start of its process. */
  readonly deadlineMs: number;
  /** Called with the cause if a function of a type failed, because the caller of the preview does not see the cause. */
  readonly onBroken: (reportType: string, cause: string) => void;
}

// The compiler does not rewrite this path: the sources run the .ts file, `dist` the .js file.
const programPath = fileURLToPath(import.meta.url).replace(/preview-objects\.(ts|js)$/, "preview-main.$1");
/** Time for the rows to end after they were stopped, before their process is killed. */
const stopGraceMs = 1_000;
const maxHeapMebibytes = 192;
const maxRssBytes = 384 * 1024 * 1024;
const maxRows = 1_000;

/**
 * Makes the reader of previews of object rows. Each preview runs in a process of its own, which ends with it, so that a function of a type that loops,
 * exits or fills its memory does not harm the API. Rejects as `readRows` of ReportPreviews does, once the process has ended.
 */
export function createObjectPreviews(options: ObjectPreviewOptions): Pick<PreviewReader<RequestedPreview>, "readRows"> {
  return {
    async readRows({ definition, columns, ...request }, signal) {
      signal.throwIfAborted();
      const { type: reportType } = definition;
      const { choice, deadlineMs, environment } = options;
      const child = startProcess(environment, deadlineMs);
      const preview = { ...request, choice, reportType, columns: columns.map(({ key }) => key) };
      const outcome = await observeProcess(child, { kind: "read", preview }, { deadlineMs, signal });
      signal.throwIfAborted();
      if (outcome.kind === "rows") return outcome.rows;
      if (outcome.kind === "late") throw tooSlowError(deadlineMs);
      if (outcome.failure === "permanent") throw new PermanentReportError("INVALID_DATA", outcome.message);
      if (outcome.failure === "unavailable") throw new StoreUnavailableError(outcome.message);
      options.onBroken(reportType, outcome.message);
      throw new PermanentReportError(
        "INVALID_DATA",
        "The function that makes them failed. Tell the owner of the report type.",
      );
    },
  };
}

function startProcess(environment: Readonly<Record<string, string>>, deadlineMs: number): ChildProcess {
  const args = [String(deadlineMs + 2 * stopGraceMs), String(maxRssBytes), getCompileCacheDir() ?? ""];
  return fork(programPath, args, {
    execArgv: [
      ...process.execArgv.filter((argument) => argument.startsWith("--conditions=")),
      `--max-old-space-size=${maxHeapMebibytes}`,
    ],
    env: environment,
    // Output of report types goes to standard error, because the standard output of the API is its log.
    stdio: ["ignore", 2, "inherit", "ipc"],
  });
}

type Outcome = MessageFromPreview | { readonly kind: "late" };

/** Sends the request and resolves with the outcome when the process has ended. Stops it at the deadline, when the signal aborts, and after the rows. */
async function observeProcess(
  child: ChildProcess,
  request: MessageToPreview,
  { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal: AbortSignal },
): Promise<Outcome> {
  let outcome: Outcome | null = null;
  let killTimer: NodeJS.Timeout | undefined;
  const send = (message: MessageToPreview): void => void child.send(message, () => undefined);
  const killLater = (): void => {
    killTimer ??= setTimeout(() => child.kill("SIGKILL"), stopGraceMs);
  };
  const stop = (): void => {
    send({ kind: "stop" });
    killLater();
  };
  const deadline = setTimeout(() => {
    outcome ??= { kind: "late" };
    stop();
  }, deadlineMs);
  signal.addEventListener("abort", stop, { once: true });
  child.on("message", (message) => {
    outcome ??= readMessage(message);
    if (outcome !== null) killLater();
  });
  const end = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`The process could not be started: ${error.message}`));
    child.once("close", (code, killedBy) => resolve(`The process ended with ${killedBy ?? `exit code ${code}`}.`));
  });
  send(request);
  try {
    const ending = await end;
    return outcome ?? { kind: "failed", failure: "broken", message: ending };
  } finally {
    clearTimeout(deadline);
    clearTimeout(killTimer);
    signal.removeEventListener("abort", stop);
  }
}

/** Reads a message of the process. Returns null for messages of other kinds, because report types can use the channel too. */
function readMessage(message: unknown): MessageFromPreview | null {
  const { kind, rows, failure, message: text } = (message ?? {}) as Readonly<Record<string, unknown>>;
  if (kind === "rows" && isTable(rows)) return { kind, rows };
  if (kind !== "failed") return null;
  const known = failure === "permanent" || failure === "unavailable" ? failure : "broken";
  return {
    kind,
    failure: known,
    message: typeof text === "string" ? sanitiseForeignText(text) : readForeignMessage({}),
  };
}

function isTable(rows: unknown): rows is (string | null)[][] {
  return (
    Array.isArray(rows) &&
    rows.length <= maxRows &&
    rows.every((row) => Array.isArray(row) && row.every((cell: unknown) => cell === null || typeof cell === "string"))
  );
}

function tooSlowError(deadlineMs: number): DomainError {
  return new DomainError(
    "unavailable",
    "preview-too-slow",
    `The preview took longer than ${deadlineMs / 1000} s and was stopped. Add a filter, or start a report.`,
    { retryAfterSeconds: 2 },
  );
}
