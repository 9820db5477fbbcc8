import { execFileSync, spawnSync } from "node:child_process";

/**
 * Readers that are not ours, for tests. Where one is missing, tests that need it are left out on a developer's machine
 * and fail where CI is set.
 */
const isRequired = Boolean(process.env["CI"]);

/** Python 3 with its csv and json. */
export const hasPython = isRequired || succeeds("python3", "--version");
/** openpyxl, which reads xlsx. */
export const hasOpenpyxl = isRequired || succeeds("python3", "-c", "import openpyxl");
/** openxml-audit, which holds a file to the schemas and rules of Office Open XML as Microsoft's SDK does. */
export const hasOpenxmlAudit = isRequired || succeeds("python3", "-c", "import openxml_audit");
/** LibreOffice, which opens xlsx as a person would. */
export const hasLibreOffice = isRequired || succeeds("soffice", "--version");

/** Runs a Python program that takes a path and prints JSON. */
export function python(program: string, path: string): unknown {
  const env = { ...process.env, PYTHONIOENCODING: "utf-8" };
  return JSON.parse(execFileSync("python3", ["-c", program, path], { encoding: "utf8", env }));
}

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0;
}
