import { createHash } from "node:crypto";
import type { Caller } from "../load/caller.ts";
import type { Ledger } from "../load/ledger.ts";
import { scheduledVariant, type Variant } from "../load/variants.ts";
import type { Stand } from "../stand/stand.ts";
import { happenedByWrongClock } from "./clock-jumps.ts";
import { differences, fingerprint } from "./fingerprint.ts";
import { finding, type Finding } from "./finding.ts";
import type { References } from "./references.ts";
import type { SeenRecord, Snapshot } from "./snapshot.ts";

/** A long run leaves ten thousand files, and one download at a time would mostly wait. */
const width = 4;

/** Every SUCCEEDED report and rendition is downloaded as a client does: recorded size and SHA-256, rows as in an undisturbed run. */
export async function checkFiles(
  caller: Caller,
  ledger: Ledger,
  { records, events }: Snapshot,
  references: References,
  say: (line: string) => void,
): Promise<Finding> {
  const visible = [...records.values()].filter(
    // Row snapshots have no download; another invariant checks that they are stored.
    ({ status, deleted, holdsRows }) => status === "SUCCEEDED" && !deleted && !holdsRows,
  );
  const violations: (readonly [string, string])[] = [];
  let bytes = 0;
  let compared = 0;
  const checkOne = async (record: SeenRecord): Promise<void> => {
    const response = await downloadOf(caller, record);
    const content = Buffer.from(await response.arrayBuffer());
    bytes += content.length;
    const problems =
      response.status === 200 ? checkFile(record, content) : [`its download is answered with ${response.status}`];
    const variant = variantOf(ledger, record);
    const reference = references.get(variant?.name ?? "");
    // An undisturbed run has no wrong time of day.
    const isComparable = !happenedByWrongClock(events.get(record.id) ?? [], ledger.clockJumps);
    if (variant !== null && reference !== undefined && isComparable && problems.length === 0) {
      compared++;
      if (record.rowCount !== reference.rowCount)
        problems.push(`has ${record.rowCount} rows, not ${reference.rowCount}`);
      const parts = differences(reference.parts, fingerprint(content, variant.request));
      if (parts.length > 0) problems.push(`(${variant.name}) differs from an undisturbed run in ${parts.join(", ")}`);
    }
    violations.push(...problems.map((problem) => [record.id, problem] as const));
  };
  let next = 0;
  const checkNext = async (): Promise<void> => {
    while (next < visible.length) {
      const record = visible[next++]!;
      if (next % 1_000 === 0) say(`${next} of ${visible.length} files downloaded`);
      await checkOne(record).catch((error: unknown) => {
        violations.push([record.id, `cannot be downloaded: ${(error as Error).message}`]);
      });
    }
  };
  await Promise.all(Array.from({ length: width }, checkNext));
  return finding(
    "I3",
    "SUCCEEDED: the file is there, of the last attempt, with the recorded size and SHA-256, and the rows of an undisturbed run",
    `${visible.length} files, ${visible.filter(({ fileOf }) => fileOf !== null).length} of them further ones, of ${(bytes / 1024 ** 2).toFixed(1)} MiB, ${compared} compared with undisturbed runs`,
    violations,
  );
}

/** The legacy download serves no renditions. */
async function downloadOf(caller: Caller, { id, fileOf, reportType }: SeenRecord): Promise<Response> {
  if (fileOf === null) return caller.download(reportType, id);
  const response = await caller.send("GET", `/v1/reports/${fileOf}/files/${id}`, "admin");
  if (response === null) throw new Error(`The download of ${id} got no answer.`);
  return response;
}

/** Returns null if no undisturbed run of the variant is known. */
function variantOf({ entries }: Ledger, { id, scheduleId }: SeenRecord): Variant | null {
  return scheduleId === null ? (entries.get(id)?.variant ?? null) : scheduledVariant;
}

function checkFile({ id, attempt, key, size, sha256 }: SeenRecord, content: Buffer): string[] {
  const problems: string[] = [];
  if (content.length !== size) problems.push(`has ${content.length} bytes, recorded are ${size}`);
  if (createHash("sha256").update(content).digest("hex") !== sha256) problems.push("has another SHA-256 than recorded");
  if (key?.startsWith(`reports/${id}/${attempt}-`) !== true)
    problems.push(`shows ${key}, which is not of its attempt ${attempt}`);
  return problems;
}

/** Returns stored objects that no visible record names, and named objects that are not stored. */
export async function findOrphans(
  stand: Pick<Stand, "files">,
  { records }: Snapshot,
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
