import { findRecordedViolations, type Ledger } from "../load/ledger.ts";
import { repeatEvery } from "../stand/repeat-every.ts";
import type { TortureStand } from "../stand/torture-stand.ts";
import { findUnmatchedFiles } from "./files.ts";
import { createInvariantResult, type InvariantResult } from "./invariant-result.ts";
import type { DatabaseState } from "./database-state.ts";

const intervalMs = 5_000;
const sampleSize = 40;

interface NamedFile {
  readonly id: string;
  readonly key: string;
}

/**
 * Checks at intervals, also during faults, that the files of undeleted records are stored. Each check uses a sample of records. Disposing ends the
 * checks.
 */
export function watchPublishedFiles(stand: TortureStand, ledger: Ledger): Disposable & { readonly checks: number } {
  const seen = { checks: 0 };
  const repetition = repeatEvery(intervalMs, async () => {
    if (stand.store.isSwapped()) return;
    const missing = await findMissing(stand);
    seen.checks++;
    for (const { id, key } of missing) {
      if (ledger.damaged.has(id)) continue;
      if (ledger.breaches.some((breach) => breach.name === "I11" && breach.reportId === id)) continue;
      ledger.breaches.push({ name: "I11", reportId: id, what: `names ${key}, which was missing during the run` });
    }
  });
  return Object.assign(seen, repetition);
}

async function findMissing({ sql, files, store }: TortureStand): Promise<readonly NamedFile[]> {
  const named = await sql<NamedFile[]>`
    select id, file_storage_key as key from reports
    where status = 'SUCCEEDED' and deleted_at is null order by random() limit ${sampleSize}`;
  const missing: NamedFile[] = [];
  for (const one of named) if ((await files.stat(one.key)) === null) missing.push(one);
  if (missing.length === 0) return [];
  // Reads the record again, because its report may have been deleted since the first read, or the store replaced.
  const still = await sql<{ id: string }[]>`
    select id from reports where id = any (${missing.map(({ id }) => id)}) and status = 'SUCCEEDED' and deleted_at is null`;
  return store.isSwapped() ? [] : missing.filter(({ id }) => still.some((row) => row.id === id));
}

export async function checkPublishedFiles(
  stand: TortureStand,
  ledger: Ledger,
  snapshot: DatabaseState,
  checks: number,
): Promise<InvariantResult> {
  const { missing } = await findUnmatchedFiles(stand, snapshot);
  const undeleted = await stand.retryingSql<{ count: number }[]>`
    select count(*)::int as count from reports where status = 'SUCCEEDED' and deleted_at is null`;
  const expired = [...snapshot.records.values()].filter(
    ({ id, status }) => status === "EXPIRED" && !ledger.damaged.has(id),
  );
  return createInvariantResult(
    "I11",
    "no file that an undeleted record names is ever removed, even if the service sees another store or an older database",
    `${undeleted[0]!.count} undeleted records, ${checks} checks during the run`,
    [
      ...missing.map(({ id, key }) => [id, `names ${key}, which is not stored`] as const),
      ...expired.map(({ id }) => [id, "is EXPIRED although its file was not damaged"] as const),
      ...findRecordedViolations(ledger, "I11"),
    ],
  );
}
