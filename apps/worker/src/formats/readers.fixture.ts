import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { findProgramPath, isAvailableOrThrowInCi, requireSessionFolderOrThrow } from "@reports/testing";

/** The installed Python modules, found without importing them, because an import takes up to 1 s. */
const installedModules = findModules(["duckdb", "openpyxl", "python_calamine", "xlsx2csv", "openxml_audit"]);

export const hasPython = isAvailableOrThrowInCi(
  "Python (apt-get install python3)",
  findProgramPath("python3") !== null,
);
export const hasDuckdb = isAvailableOrThrowInCi("DuckDB (pip install duckdb)", installedModules.has("duckdb"));
export const hasOpenpyxl = isAvailableOrThrowInCi("openpyxl (pip install openpyxl)", installedModules.has("openpyxl"));
export const hasCalamine = isAvailableOrThrowInCi(
  "calamine (pip install python-calamine)",
  installedModules.has("python_calamine"),
);
export const hasXlsx2csv = isAvailableOrThrowInCi("xlsx2csv (pip install xlsx2csv)", installedModules.has("xlsx2csv"));
export const hasOpenxmlAudit = isAvailableOrThrowInCi(
  "openxml-audit (pip install openxml-audit)",
  installedModules.has("openxml_audit"),
);
export const hasLibreOffice = isAvailableOrThrowInCi(
  "LibreOffice (apt-get install libreoffice-calc-nogui)",
  findProgramPath("soffice") !== null,
);
export const hasPdftotext = isAvailableOrThrowInCi(
  "pdftotext (apt-get install poppler-utils)",
  findProgramPath("pdftotext") !== null,
);
export const hasQpdf = isAvailableOrThrowInCi("qpdf (apt-get install qpdf)", findProgramPath("qpdf") !== null);

/**
 * Returns a function that sends its arguments as a line of JSON to a Python script and resolves with the script's response. The script starts once
 * per test process, because loading Python takes longer than reading a file. The script exits when its standard input closes.
 */
export function createPythonScriptCaller(script: string): (...job: readonly unknown[]) => Promise<unknown> {
  let running: { readonly child: ChildProcessByStdio<Writable, Readable, null>; readonly lines: AsyncIterator<string> };
  let isRunning = false;
  return async (...job) => {
    if (!isRunning) {
      const env = { ...process.env, PYTHONIOENCODING: "utf-8" };
      const child = spawn("python3", [script], { env, stdio: ["pipe", "pipe", "inherit"] });
      running = { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
      isRunning = true;
    }
    running.child.stdin.write(`${JSON.stringify(job)}\n`);
    const line = await running.lines.next();
    if (line.done !== true) return JSON.parse(line.value) as unknown;
    isRunning = false;
    throw new Error(`${script} ended. Its standard error says why.`);
  };
}

let profileFolder: string | undefined;

export function setLibreOfficeProfileFolder(folder: string): void {
  profileFolder = resolve(folder);
}

/** Converts files into a folder with LibreOffice. A test process uses one profile, because creating it takes longer than most conversions. */
export function convertByLibreOffice(
  options: readonly string[],
  folder: string,
  paths: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): void {
  const profile = `-env:UserInstallation=file://${join(profileFolder ?? requireSessionFolderOrThrow(), `libreoffice-${process.pid}`)}`;
  const env = { ...process.env, ...environment };
  execFileSync("soffice", [profile, "--headless", ...options, "--outdir", folder, ...paths], { stdio: "pipe", env });
}

const runProgram = createPythonScriptCaller(join(import.meta.dirname, "run_programs.py"));

export async function runPythonProgram(program: string, path: string): Promise<unknown> {
  return runProgram(program, path);
}

function findModules(names: readonly string[]): ReadonlySet<string> {
  const program = "import sys, importlib.util as u; print(*[n for n in sys.argv[1:] if u.find_spec(n)])";
  const { stdout } = spawnSync("python3", ["-c", program, ...names], { encoding: "utf8" });
  return new Set((stdout ?? "").trim().split(" "));
}
