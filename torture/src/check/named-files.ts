import { setTimeout as wait } from "node:timers/promises";
import type { Ledger } from "../load/ledger.ts";
import { persistently } from "../stand/database.ts";
import type { Stand } from "../stand/stand.ts";
import { findOrphans } from "./files.ts";
import { breachesOf } from "./breaches.ts";
import { finding, type Finding } from "./finding.ts";
import type { Snapshot } from "./snapshot.ts";

const intervalMs = 5_000;
const sample = 40;

interface NamedFile {
  readonly id: string;
  readonly key: string;
}

/** Checks the files that undeleted records name, a few at a time and during all faults, until it is disposed of. */
export function watchNamedFiles(stand: Stand, ledger: Ledger): Disposable & { readonly checks: number } {
  const stopped = new AbortController();
  let checks = 0;
  const watch = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await wait(intervalMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stand.store.isSwapped()) continue;
      // A store that is being restarted is checked again later.
      await findMissing(stand).then(
        (missing) => {
          checks++;
          for (const { id, key } of missing) {
            if (ledger.damaged.has(id)) continue;
            if (ledger.breaches.some((breach) => breach.name === "I11" && breach.reportId === id)) continue;
            ledger.breaches.push({ name: "I11", reportId: id, what: `names ${key}, which was gone in mid-run` });
          }
        },
        () => undefined,
      );
    }
  };
  void watch();
  return {
    get checks() {
      return checks;
    },
    [Symbol.dispose]: () => stopped.abort(),
  };
}

async function findMissing({ sql, files, store }: Stand): Promise<readonly NamedFile[]> {
  const named = await sql<NamedFile[]>`
    select id, file_storage_key as key from reports
    where status = 'SUCCEEDED' and deleted_at is null order by random() limit ${sample}`;
  const missing: NamedFile[] = [];
  for (const one of named) if ((await files.stat(one.key)) === null) missing.push(one);
  if (missing.length === 0) return [];
  // The report may have been deleted meanwhile, or the store taken away.
  const still = await sql<{ id: string }[]>`
    select id from reports where id = any (${missing.map(({ id }) => id)}) and status = 'SUCCEEDED' and deleted_at is null`;
  return store.isSwapped() ? [] : missing.filter(({ id }) => still.some((row) => row.id === id));
}

/** No file that an undeleted record names is removed, and no record calls its file gone unless it was damaged. */
export async function checkNamedFiles(
  stand: Stand,
  ledger: Ledger,
  snapshot: Snapshot,
  checks: number,
): Promise<Finding> {
  const { missing } = await findOrphans(stand, snapshot);
  const undeleted = await persistently(
    () => stand.sql<{ count: number }[]>`
      select count(*)::int as count from reports where status = 'SUCCEEDED' and deleted_at is null`,
  );
  const expired = [...snapshot.records.values()].filter(
    ({ id, status }) => status === "EXPIRED" && !ledger.damaged.has(id),
  );
  return finding(
    "I11",
    "no file that a living record names is ever removed, whatever store or dump the service is shown",
    `${undeleted[0]!.count} undeleted records, ${checks} checks during the run`,
    [
      ...missing.map(({ id, key }) => [id, `names ${key}, which is not stored`] as const),
      ...expired.map(({ id }) => [id, "is EXPIRED although nobody damaged its file"] as const),
      ...breachesOf(ledger, "I11"),
    ],
  );
}
