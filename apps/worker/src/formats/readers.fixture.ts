import { execFileSync, spawnSync } from "node:child_process";
import { findProgram, machineHas } from "@reports/testing";

// Readers that are not ours.

/** Python 3 with its csv and json. */
export const hasPython = machineHas("Python (apt-get install python3)", findProgram("python3") !== null);
/** DuckDB, which reads csv, json and ndjson with parsers of its own. */
export const hasDuckdb = machineHas("DuckDB (pip install duckdb)", imports("duckdb"));
/** openpyxl, which reads xlsx. */
export const hasOpenpyxl = machineHas("openpyxl (pip install openpyxl)", imports("openpyxl"));
/** calamine, a reader in Rust by which pandas and polars read xlsx. */
export const hasCalamine = machineHas("calamine (pip install python-calamine)", imports("python_calamine"));
/** xlsx2csv, which turns sheets into csv. */
export const hasXlsx2csv = machineHas("xlsx2csv (pip install xlsx2csv)", imports("xlsx2csv"));
/** openxml-audit, which holds a file to the schemas and rules of Office Open XML as Microsoft's SDK does. */
export const hasOpenxmlAudit = machineHas("openxml-audit (pip install openxml-audit)", imports("openxml_audit"));
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

function imports(module: string): boolean {
  return spawnSync("python3", ["-c", `import ${module}`]).status === 0;
}
