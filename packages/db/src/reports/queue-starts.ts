import { DomainError, StoreUnavailableError } from "@reports/core/base";
import type { NewReport, OnceClaim, QueuedReport, ReportStore, StartLimits } from "@reports/core/report";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { beginWith, disableScans } from "../database/begin-with.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { codeOf } from "../database/store-error.ts";
import { insertManualRun } from "../schedules/insert-runs.ts";
import { reports } from "../schema/reports.ts";
import { gatherWrites } from "./gather-writes.ts";
import { storeResponses, readKey, claimKey, claimKeys, type StoredResponse } from "./idempotency-store.ts";
import { insertQueued } from "./insert-queued.ts";
import { maxStarts, recordStarts } from "./limit-store.ts";
import { lockSourceReport } from "./report-files.ts";
import { toReport } from "./report-row.ts";

/** Maximum number of starts per transaction. The caller's limits may allow fewer. */
const maxBatch = 100;

/** Lock timeout of a batch in ms. A stuck transaction of another instance may lock one of its keys and must delay only that start. */
const batchLockMs = 1_000;
/** SQLSTATEs of a transaction that deadlocked or waited too long for a lock. It was rolled back, and the database works. */
const lockStates = new Set(["40001", "40P01", "55P03"]);

const beginAlone = prepareStatement(sql`select ${disableScans}`);
const beginTogether = prepareStatement(
  sql`select ${disableScans}, set_config('lock_timeout', ${String(batchLockMs)}, true)`,
);

interface Start {
  readonly report: NewReport;
  readonly limits: StartLimits;
  readonly once: OnceClaim | undefined;
}

/** Thrown to roll back a transaction that wrote nothing new, so that the start does not count against any limit. Carries the result of the start. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
  readonly outcome: QueuedReport | null;
  constructor(outcome: QueuedReport | null) {
    super("The transaction wrote nothing new and is rolled back.");
    this.outcome = outcome;
  }
}

/** Returns the function that writes new reports. It writes concurrent starts of one caller together: docs/decisions/0055-starts-of-one-caller-are-written-together.md. */
export function createQueuedStarts(database: Database): ReportStore["createQueued"] {
  const forOne = beginWith(database, beginAlone);
  const forMany = beginWith(database, beginTogether);
  const gather = gatherWrites<Start, QueuedReport>({
    together: (starts) => writeTogether(forMany, starts),
    alone: (start) => writeAlone(forOne, start),
  });
  return async (report, limits, once) => {
    const start = { report, limits, once };
    // Additional formats and runs of a schedule lock rows of other records and are written alone.
    if (report.fileOf !== undefined || report.fireId !== undefined) return writeAlone(forOne, start);
    const most = Math.min(maxBatch, maxStarts(limits));
    return gather(JSON.stringify([ownerOf(report), limits.perMinute, limits.unfinished]), start, most);
  };
}

/** Returns the result of an earlier start with the same idempotency key or coalesce key; null if there is none. */
export async function findStarted(
  queries: Queries,
  coalesceKey: string | null,
  once: OnceClaim | undefined,
): Promise<QueuedReport | null> {
  const stored = once === undefined ? null : await readKey(queries, once);
  if (stored !== null) return replayOf(queries, stored);
  return coalesceKey === null ? null : findOpenDuplicate(queries, coalesceKey);
}

const selectAnyDuplicate = prepareStatement(
  sql`
    select from ${reports} where coalesce_key = any (string_to_array(${sql.placeholder("keys")}, ','))
      and status in ('QUEUED', 'RUNNING') and deleted_at is null limit 1`,
);

/** Writes all starts in one transaction if each of them is new and the limits allow all. Otherwise writes nothing and returns null, so that each is written alone. */
async function writeTogether(database: Database, starts: readonly Start[]): Promise<readonly QueuedReport[] | null> {
  const [{ report: first, limits }] = starts as readonly [Start, ...Start[]];
  const claims = starts.flatMap(({ once }) => once ?? []);
  const coalesceKeys = starts.flatMap(({ report }) => report.coalesceKey ?? []);
  // Two equal starts must get the same report, which only separate writes can do.
  if (hasDuplicates(claims.map(({ endpoint, key }) => `${endpoint} ${key}`)) || hasDuplicates(coalesceKeys))
    return null;
  return database
    .transaction(
      async (queries): Promise<readonly QueuedReport[]> => {
        if (!(await claimKeys(queries, claims))) throw new RolledBack(null);
        const [{ quotas, refusal }, duplicates] = await Promise.all([
          recordStarts(queries, ownerOf(first), limits, starts.length),
          // Searched before the insert, which would wait for a transaction that changes the duplicate.
          coalesceKeys.length === 0 ? [] : selectAnyDuplicate(queries, { keys: coalesceKeys.join(",") }),
        ]);
        if (refusal !== null || duplicates.length > 0) throw new RolledBack(null);
        const written = await insertQueued(
          queries,
          starts.map(({ report }) => report),
        );
        const created = written.filter((report) => report !== null);
        if (created.length < starts.length) throw new RolledBack(null);
        await storeResponses(
          queries,
          created.flatMap((report, index) => {
            const { once } = starts[index]!;
            return once === undefined
              ? []
              : { claim: once, stored: { reportId: report.id, answer: once.answerOf(report) } };
          }),
        );
        return created.map((report, index) => ({ report, reused: false, quotas: quotas[index]! }));
      },
      (queries) => exists(queries, first.id),
    )
    .catch((error: unknown) => {
      // If Postgres is unavailable, single writes would fail as well. Any other error may concern only one start, so each is written alone.
      if (error instanceof StoreUnavailableError && !lockStates.has(codeOf(error) ?? "")) throw error;
      return null;
    });
}

function hasDuplicates(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length;
}

async function writeAlone(database: Database, { report, limits, once }: Start): Promise<QueuedReport> {
  // A duplicate may end after the insert was refused and before it is read, and the key is then free again. If a schedule is run several times in the same millisecond, one run succeeds per attempt.
  for (let tries = 0; tries < 10; tries++) {
    const outcome = await database
      .transaction(
        async (queries): Promise<QueuedReport> => {
          const stored = once === undefined ? null : await claimKey(queries, once);
          if (stored !== null) return replayOf(queries, stored);
          const { coalesceKey } = report;
          // Searched after the lock of the limits, if there is one. A concurrent duplicate is thus found, and returned even if a limit is exceeded.
          const [{ quotas, refusal }, duplicate] = await Promise.all([
            recordStarts(queries, ownerOf(report), limits, 1),
            coalesceKey === null ? null : findOpenDuplicate(queries, coalesceKey),
          ]);
          if (duplicate !== null) throw new RolledBack(duplicate);
          if (refusal !== null) throw refusal;
          if (report.fileOf !== undefined) await lockSourceReport(queries, report.fileOf);
          const [created = null] = await insertQueued(queries, [report]);
          if (created === null) throw new RolledBack(null);
          if (!(await insertManualRun(queries, report))) throw new RolledBack(null);
          if (once !== undefined)
            await storeResponses(queries, [
              { claim: once, stored: { reportId: report.id, answer: once.answerOf(created) } },
            ]);
          return { report: created, reused: false, quotas: quotas[0]! };
        },
        (queries) => exists(queries, report.id),
      )
      .catch((error: unknown) => {
        if (error instanceof RolledBack) return error.outcome;
        throw error;
      });
    if (outcome !== null) return outcome;
  }
  throw new DomainError(
    "unavailable",
    "unavailable",
    "Concurrent starts of the same report kept conflicting; try again.",
  );
}

function ownerOf(report: NewReport): string {
  return report.countedFor ?? report.requestedBy;
}

async function replayOf(tx: Queries, { reportId, answer }: StoredResponse): Promise<QueuedReport> {
  const [row] = await tx.select().from(reports).where(eq(reports.id, reportId));
  // The foreign key of the response removes it together with the report.
  return { report: toReport(row!), reused: false, replayed: answer };
}

async function exists(queries: Queries, id: string): Promise<boolean> {
  return (await queries.$count(reports, eq(reports.id, id))) > 0;
}

async function findOpenDuplicate(tx: Queries, coalesceKey: string): Promise<QueuedReport | null> {
  const [row] = await tx
    .select()
    .from(reports)
    .where(
      and(
        eq(reports.coalesceKey, coalesceKey),
        inArray(reports.status, ["QUEUED", "RUNNING"]),
        isNull(reports.deletedAt),
      ),
    );
  return row === undefined ? null : { report: toReport(row), reused: true };
}
