import { createHash } from "node:crypto";
import { forEachNumber } from "../load/for-each-number.ts";
import type { LoadClient } from "../load/load-client.ts";
import type { Ledger } from "../load/ledger.ts";
import { scheduledVariant, type ReportVariant } from "../load/report-variants.ts";
import type { TortureStand } from "../stand/torture-stand.ts";
import { hasEventDuringClockJump } from "./clock-jumps.ts";
import { downloadWhenServed } from "./download-when-served.ts";
import { listDifferingParts, computeFileFingerprint } from "./file-fingerprint.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";
import type { ReferenceFiles } from "./reference-files.ts";
import type { SeenRecord, DatabaseState } from "./database-state.ts";

/** Maximum downloads at the same time. A long run leaves ten thousand files. */
const concurrentDownloads = 4;

export async function checkDownloadedFiles(
  caller: LoadClient,
  ledger: Ledger,
  { records, events }: DatabaseState,
  references: ReferenceFiles,
  say: (line: string) => void,
): Promise<InvariantResult> {
  const visible = [...records.values()].filter(
    // The API serves no row snapshots. checkPublishedFiles checks that the store has them.
    ({ status, deleted, holdsRows }) => status === "SUCCEEDED" && !deleted && !holdsRows,
  );
  const violations: (readonly [string, string])[] = [];
  let bytes = 0;
  let compared = 0;
  const checkOne = async (record: SeenRecord): Promise<void> => {
    const { status, content } = await downloadWhenServed(caller, downloadPathOf(record));
    bytes += content.length;
    const problems = status === 200 ? checkFile(record, content) : [`has a download that gets ${status}`];
    const variant = variantOf(ledger, record);
    const reference = references.get(variant?.name ?? "");
    // Files can contain times. A file from a time when Postgres's clock was wrong can therefore differ from that of a run without faults.
    const isComparable = !hasEventDuringClockJump(events.get(record.id) ?? [], ledger.clockJumps);
    if (variant !== null && reference !== undefined && isComparable && problems.length === 0) {
      compared++;
      if (record.rowCount !== reference.rowCount)
        problems.push(`has ${record.rowCount} rows, not ${reference.rowCount}`);
      const parts = listDifferingParts(reference.parts, computeFileFingerprint(content, variant.request));
      if (parts.length > 0) problems.push(`(${variant.name}) differs from an undisturbed run in ${parts.join(", ")}`);
    }
    violations.push(...problems.map((problem) => [record.id, problem] as const));
  };
  await forEachNumber({ to: visible.length, concurrency: concurrentDownloads }, async (index) => {
    const record = visible[index]!;
    if (index > 0 && index % 1_000 === 0) say(`${index} of ${visible.length} files downloaded`);
    await checkOne(record).catch((error: Error) => {
      violations.push([record.id, `cannot be downloaded: ${error.message}`]);
    });
  });
  return createInvariantResult(
    "I3",
    "every SUCCEEDED report has the file of its last attempt, with the recorded size and SHA-256 and the rows of an undisturbed run",
    `${visible.length} files, ${visible.filter(({ fileOf }) => fileOf !== null).length} of them additional formats, ${(bytes / 1024 ** 2).toFixed(1)} MiB, ${compared} compared with undisturbed runs`,
    violations,
  );
}

/** Returns the path of the file of a report or rendition. The legacy endpoint serves no renditions. */
function downloadPathOf({ id, fileOf, reportType }: SeenRecord): string {
  return fileOf === null
    ? `/v1/report/download?reportType=${reportType}&id=${id}`
    : `/v1/reports/${fileOf}/files/${id}`;
}

function variantOf({ entries }: Ledger, { id, scheduleId }: SeenRecord): ReportVariant | null {
  return scheduleId === null ? (entries.get(id)?.variant ?? null) : scheduledVariant;
}

function checkFile({ id, attempt, key, size, sha256 }: SeenRecord, content: Buffer): string[] {
  const problems: string[] = [];
  if (content.length !== size) problems.push(`has ${content.length} bytes, but the record says ${size}`);
  if (createHash("sha256").update(content).digest("hex") !== sha256) problems.push("has another SHA-256 than recorded");
  if (key?.startsWith(`reports/${id}/${attempt}-`) !== true)
    problems.push(`names ${key}, which is not a file of its attempt ${attempt}`);
  return problems;
}

export async function findUnmatchedFiles(
  stand: Pick<TortureStand, "files">,
  { records }: DatabaseState,
): Promise<{ orphans: string[]; missing: SeenRecord[] }> {
  const named = new Map(
    [...records.values()].flatMap((record) =>
      record.key === null || record.deleted ? [] : [[record.key, record] as const],
    ),
  );
  const orphans: string[] = [];
  const stored = new Set<string>();
  for await (const { key } of stand.files.list("reports/")) {
    stored.add(key);
    if (!named.has(key)) orphans.push(key);
  }
  return { orphans, missing: [...named].filter(([key]) => !stored.has(key)).map(([, record]) => record) };
}
