import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { reportFormats } from "@reports/core/report";
import { columnKinds } from "@reports/core/report-type";
import { installReportTypePackages, isFullTestRun, readSourceStartVariables } from "@reports/testing";
import { expect, test } from "vitest";

async function check(args: readonly string[], directory: string) {
  const path = fileURLToPath(new URL("check-report-types.ts", import.meta.url));
  return new Promise<{ code: number | null; out: string; stderr: string }>((resolve) => {
    const env = {
      PATH: process.env["PATH"],
      ...readSourceStartVariables(),
      REPORT_TYPES_DIR: directory,
    };
    const child = execFile(
      process.execPath,
      ["--conditions=@reports/source", path, ...args],
      { env },
      (_, out, stderr) => resolve({ code: child.exitCode, out, stderr }),
    );
  });
}

const source = `
  import { defineReportTypes } from "@reports/core/report-type";
  const kinds = ${JSON.stringify(columnKinds)};
  const sqlTypes = { text: "text", integer: "integer", bigint: "bigint", decimal: "numeric", ratio: "numeric", bytes: "bigint", duration: "interval",
    boolean: "boolean", timestamp: "timestamptz", date: "date", time: "time", list: "text[]" };
  export default defineReportTypes([
    { authority: "REPORT_VIEW", definition: {
      type: "ACME_VIEW", version: 3, title: "Every kind", columns: kinds.map((kind) => ({ key: kind, title: kind, kind })),
      rows: { kind: "view", source: "billing", view: "billing.every_kind", id: "id",
        columns: Object.fromEntries(kinds.map((kind) => [kind, { column: kind, type: sqlTypes[kind] }])) },
      summary: { figures: [
        { key: "plain", title: "Plain", kind: "integer", aggregate: { kind: "count", where: { column: "text", in: ["plain"] } } },
      ] },
    } },
    { authority: "REPORT_OBJECTS", definition: {
      type: "ACME_OBJECTS", version: 1, title: "Objects", columns: [{ key: "text", title: "Text", kind: "text" }],
      filters: [{ name: "text", operator: "in", value: "text", columns: ["text"], required: true, description: "Texts." }],
      formats: { csv: { maxRows: 10 } },
      rows: { kind: "objects", rows() { throw new Error("These rows need a service that is away."); } },
    } },
  ]);`;

test("check-report-types renders generated rows of every type in every format", async () => {
  await using packages = await installReportTypePackages({ acme: source });
  const { code, out, stderr } = await check(["acme"], packages.directory);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(out).toContain("ACME_VIEW (version 3), authority REPORT_VIEW, rows from billing.every_kind of billing\n");
  const [view = "", objects = ""] = out.split("ACME_OBJECTS");
  const made = (text: string) =>
    [...text.matchAll(/^ {2}(\w+) +([\d,]+) rows +([\d,]+) bytes +[\d,]+ ms$/gm)].map(([, format, rows]) => [
      format,
      rows,
    ]);
  expect(made(view)).toEqual(reportFormats.flatMap((format) => ["0", "1", "1,000"].map((rows) => [format, rows])));
  // The type allows ten rows, so the file with the most generated rows has ten.
  expect(made(objects)).toEqual(["0", "1", "10"].map((rows) => ["csv", rows]));
});

test("check-report-types exits with 78 for unusable types, with 2 without arguments", async () => {
  await using packages = await installReportTypePackages({ proxies: source.replace('"ACME_VIEW"', '"PROXY"') });
  // load-report-types.test.ts shows the other reasons.
  const cases = [
    [["proxies", "./acme", "missing"], 78, "./acme: this is not the name of an installed package"],
    [[], 2, "Usage"],
    [["proxies"], 78, "PROXY is already a type of the built-in types"],
    [["missing"], 78, "Cannot find package 'missing'"],
  ] as const;
  const chosen = isFullTestRun ? cases : cases.slice(0, 2);
  const ended = await Promise.all(chosen.map(async ([args]) => check(args, packages.directory)));
  expect(ended).toEqual(
    chosen.map(([, code, reason]) => ({ code, out: "", stderr: expect.stringContaining(reason) as string })),
  );
});
