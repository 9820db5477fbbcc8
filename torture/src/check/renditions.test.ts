import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { LoadClient } from "../load/load-client.ts";
import { createLedger } from "../load/ledger.ts";
import { reportVariants } from "../load/report-variants.ts";
import { checkDownloadedFiles } from "./files.ts";
import { computeFileFingerprint } from "./file-fingerprint.ts";
import type { ReportHistoryEvent } from "./history.ts";
import { checkRecords } from "./invariants.ts";
import type { SeenRecord, DatabaseState } from "./database-state.ts";

const variant = reportVariants.find(({ request }) => request.format === "csv")!;
const bytes = Buffer.from("a\n1\n2\n");
const report: SeenRecord = {
  id: "report",
  requestedBy: "caller",
  fileOf: null,
  holdsRows: false,
  scheduleId: null,
  reportType: variant.request.reportType,
  title: "",
  status: "SUCCEEDED",
  attempt: 1,
  deleted: true,
  key: "reports/report/1-a",
  size: bytes.length,
  sha256: createHash("sha256").update(bytes).digest("hex"),
  rowCount: 2,
  error: null,
};
const rows: SeenRecord = { ...report, id: "rows", fileOf: "report", holdsRows: true, key: "reports/report/1-b" };
const file: SeenRecord = {
  ...report,
  id: "file",
  requestedBy: "caller-file",
  fileOf: "report",
  deleted: false,
  key: "reports/file/1-c",
};
const life = (end: SeenRecord["status"]): ReportHistoryEvent[] => [
  { from: null, to: "QUEUED", attempt: 0, at: new Date(0) },
  { from: "QUEUED", to: "RUNNING", attempt: 1, at: new Date(1_000) },
  { from: "RUNNING", to: end, attempt: 1, at: new Date(2_000) },
];

function snapshotOf(records: readonly SeenRecord[], events: DatabaseState["events"]): DatabaseState {
  return { records: new Map(records.map((record) => [record.id, record])), events, jobs: [] };
}

const broken = (records: readonly SeenRecord[], events: DatabaseState["events"], ledger = createLedger()) =>
  checkRecords(ledger, snapshotOf(records, events))
    .filter(({ violations }) => violations.length > 0)
    .map(({ name }) => name);

async function checkDownload(body: Buffer, record = file) {
  const ledger = createLedger();
  ledger.entries.set("file", { id: "file", key: "k", variant });
  const sent: string[] = [];
  const send: LoadClient["send"] = async (_method, path) => {
    sent.push(path);
    return new Response(new Uint8Array(body));
  };
  const references = new Map([[variant.name, { rowCount: 2, parts: computeFileFingerprint(bytes, variant.request) }]]);
  const snapshot = snapshotOf([record, rows], new Map());
  const { violations } = await checkDownloadedFiles(
    { send } as LoadClient,
    ledger,
    snapshot,
    references,
    () => undefined,
  );
  return { sent, problems: violations.map(({ what }) => what) };
}

it("checkDownloadedFiles compares a rendition with a run without faults, but no row snapshot", async () => {
  expect(await checkDownload(bytes)).toEqual({ sent: ["/v1/reports/report/files/file"], problems: [] });
  expect((await checkDownload(Buffer.from("a\n1\n"))).problems).not.toEqual([]);
  // This file has the size and hash of its record, but its rows differ from those of a run without faults.
  const other = Buffer.from("a\n1\n3\n");
  const sha256 = createHash("sha256").update(other).digest("hex");
  expect((await checkDownload(other, { ...file, sha256 })).problems).toEqual([expect.stringContaining("differs")]);
});

it("checkRecords requires events of a rendition, but not of a row snapshot", () => {
  const histories = new Map([
    ["report", life("SUCCEEDED")],
    ["file", life("SUCCEEDED")],
  ]);
  expect(broken([report, rows, file], histories)).toEqual([]);
  expect(broken([report, rows, file], new Map([["report", life("SUCCEEDED")]]))).toEqual(["I8", "I9"]);
  expect(broken([report, rows, { ...file, key: rows.key }], histories)).toEqual(["I4"]);
  expect(broken([report, rows, { ...file, status: "RUNNING" }], histories)).toEqual(["I2", "I9"]);
  expect(broken([report, rows, { ...file, requestedBy: "caller" }], histories)).toEqual(["I1"]);
});

it("a rendition may fail with ROWS_LOST only while the store's files are removed", () => {
  const histories = new Map([
    ["report", life("SUCCEEDED")],
    ["file", life("FAILED")],
  ]);
  const lost = { ...file, status: "FAILED", key: null, error: "ROWS_LOST" } as const;
  expect(broken([report, rows, lost], histories)).toEqual(["I10"]);
  const ledger = createLedger();
  ledger.timesWithoutFiles.push({ from: 1_500, to: 2_500 });
  expect(broken([report, rows, lost], histories, ledger)).toEqual([]);
  expect(broken([report, rows, { ...lost, error: "INTERNAL" }], histories, ledger)).toEqual(["I10"]);
});
