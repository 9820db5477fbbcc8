import { fork } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";
import { sanitiseUntrustedText } from "@reports/core/base";

export type ModuleVerdict =
  | { readonly ok: true; readonly types: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

export type ModuleCheckMessage =
  /** Sent when the process is ready to import the module. The time limit of the module starts then. */
  { readonly kind: "importing" } | { readonly kind: "verdict"; readonly verdict: ModuleVerdict };

export interface CheckReportTypeModuleOptions {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Time limit of the import of the module in ms. The start of the process does not count. */
  readonly timeoutMs: number;
}

// The compiler does not rewrite this path: the sources run the .ts file, `dist` the .js file.
const checkProgramPath = fileURLToPath(import.meta.url).replace(/check-report-type-module\.(ts|js)$/, "check-main.$1");
/** Time limit in ms for the start of the process that imports the module. It is long because the machine may be busy. */
const startTimeoutMs = 60_000;
/** Maximum size of the process's heap. Without it, a module could use up the memory of the machine. */
const maxHeapMebibytes = 512;
const maxErrorCharacters = 2_000;
/** Exit code of Node if a top-level `await` of a module can never complete. */
const unsettledExit = 13;

/** Checks that a module can be imported. A separate process imports it, so that an endless loop, an exit or a full heap ends only that process. */
export async function checkReportTypeModule(name: string, check: CheckReportTypeModuleOptions): Promise<ModuleVerdict> {
  const args = [name, check.directory, String(check.timeoutMs), getCompileCacheDir() ?? ""];
  const child = fork(checkProgramPath, args, {
    execArgv: [
      ...process.execArgv.filter((argument) => argument.startsWith("--conditions=")),
      `--max-old-space-size=${maxHeapMebibytes}`,
    ],
    env: check.environment,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let verdict: ModuleVerdict | null = null;
  let tail = "";
  let isLate = false;
  child.stderr?.on("data", (chunk: Buffer) => (tail = (tail + chunk.toString()).slice(-maxErrorCharacters)));
  const giveUp = (): void => {
    isLate = true;
    child.kill("SIGKILL");
  };
  let timer = setTimeout(giveUp, startTimeoutMs);
  child.on("message", (message) => {
    // The message may be anything, because the code of the module can use the same channel.
    const received = message as ModuleCheckMessage | null;
    if (received?.kind === "verdict") verdict = readVerdict(received.verdict);
    else if (received?.kind !== "importing") return;
    clearTimeout(timer);
    timer = setTimeout(giveUp, check.timeoutMs);
  });
  const end = await new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be started: ${error.message}`));
    child.once("close", (code, signal) => resolve(signal ?? (code === unsettledExit ? "await" : `exit code ${code}`)));
  });
  clearTimeout(timer);
  if (verdict !== null) return verdict;
  if (isLate) return failedVerdict(describeImportTimeout(check.timeoutMs));
  if (end === "await") return failedVerdict("it cannot be imported: it awaits something that never happens.");
  return failedVerdict(`it ended the process that imported it (${end})${findLastLine(tail)}.`);
}

function readVerdict(verdict: unknown): ModuleVerdict {
  const { ok, types, problems } = (verdict ?? {}) as { readonly [Key in "ok" | "types" | "problems"]?: unknown };
  if (ok === true && isTextList(types)) return { ok, types };
  if (ok === false && isTextList(problems))
    return { ok, problems: problems.map((problem) => sanitiseUntrustedText(problem, 2_000)) };
  return failedVerdict("it sent half a message to the process that checks it.");
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

export function describeImportTimeout(timeoutMs: number): string {
  return `it cannot be imported within ${timeoutMs / 1000} s.`;
}

function failedVerdict(problem: string): ModuleVerdict {
  return { ok: false, problems: [problem] };
}

function findLastLine(text: string): string {
  const line = text
    .split("\n")
    .map((each) => each.trim())
    .findLast((each) => each !== "" && !each.startsWith("Node.js v"));
  return line === undefined ? "" : `, and said last: ${sanitiseUntrustedText(line, 200)}`;
}
