import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { findProgram, machineHas, sessionFolder } from "@reports/testing";

// Readers that are not ours.

/** Python's modules that are installed, found without loading them: loading takes up to a second each. */
const installed = findModules(["duckdb", "openpyxl", "python_calamine", "xlsx2csv", "openxml_audit"]);

/** Python 3 with its csv and json. */
export const hasPython = machineHas("Python (apt-get install python3)", findProgram("python3") !== null);
/** DuckDB, which reads csv, json and ndjson with parsers of its own. */
export const hasDuckdb = machineHas("DuckDB (pip install duckdb)", installed.has("duckdb"));
/** openpyxl, which reads xlsx. */
export const hasOpenpyxl = machineHas("openpyxl (pip install openpyxl)", installed.has("openpyxl"));
/** calamine, a reader in Rust by which pandas and polars read xlsx. */
export const hasCalamine = machineHas("calamine (pip install python-calamine)", installed.has("python_calamine"));
/** xlsx2csv, which turns sheets into csv. */
export const hasXlsx2csv = machineHas("xlsx2csv (pip install xlsx2csv)", installed.has("xlsx2csv"));
/** openxml-audit, which holds a file to the schemas and rules of Office Open XML as Microsoft's SDK does. */
export const hasOpenxmlAudit = machineHas("openxml-audit (pip install openxml-audit)", installed.has("openxml_audit"));
/** LibreOffice, which opens xlsx as a person would. */
export const hasLibreOffice = machineHas(
  "LibreOffice (apt-get install libreoffice-calc-nogui)",
  findProgram("soffice") !== null,
);
/** poppler's pdftotext. */
export const hasPdftotext = machineHas("pdftotext (apt-get install poppler-utils)", findProgram("pdftotext") !== null);
/** qpdf, which takes a pdf apart. */
export const hasQpdf = machineHas("qpdf (apt-get install qpdf)", findProgram("qpdf") !== null);

/** Runs a Python program that takes a path and prints JSON. */
export function python(program: string, path: string): unknown {
  const env = { ...process.env, PYTHONIOENCODING: "utf-8" };
  return JSON.parse(execFileSync("python3", ["-c", program, path], { encoding: "utf8", env }));
}

/** Converts files into a folder by LibreOffice. Its profile is made once per test process: that takes longer than most files. */
export function convertByLibreOffice(options: readonly string[], folder: string, paths: readonly string[]): void {
  const profile = `-env:UserInstallation=file://${join(sessionFolder(), `libreoffice-${process.pid}`)}`;
  execFileSync("soffice", [profile, "--headless", ...options, "--outdir", folder, ...paths], { stdio: "pipe" });
}

function findModules(names: readonly string[]): ReadonlySet<string> {
  const program = "import sys, importlib.util as u; print(*[n for n in sys.argv[1:] if u.find_spec(n)])";
  const { stdout } = spawnSync("python3", ["-c", program, ...names], { encoding: "utf8" });
  return new Set((stdout ?? "").trim().split(" "));
}
