import { DomainError, StoreUnavailableError } from "@reports/core/base";
import type { NewReport, OnceClaim, QueuedReport, ReportStore, StartLimits } from "@reports/core/report";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { beginWith, withoutScans } from "../database/begin-with.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { codeOf } from "../database/store-error.ts";
import { insertManualFire } from "../schedules/insert-fires.ts";
import { reports } from "../schema/reports.ts";
import { gatherWrites } from "./gather-writes.ts";
import { keepAnswers, readKey, takeKey, takeKeys, type KeptAnswer } from "./idempotency-store.ts";
import { insertQueued } from "./insert-queued.ts";
import { mostStarts, takeStarts } from "./limit-store.ts";
import { holdSource } from "./report-files.ts";
import { toReport } from "./report-row.ts";

/** What is written in one transaction at most; the caller's limits may allow fewer. */
const mostTogether = 100;

/** How long a batch waits for a lock, in ms: one of its keys may be another instance's, in a transaction that does not end, and only who brought it is to wait. */
const batchLockMs = 1_000;
/** SQLSTATEs of a transaction that lost a lock, or waited for one: it was rolled back, and the database goes on. */
const lockStates = new Set(["40001", "40P01", "55P03"]);

const beginAlone = prepareStatement(sql`select ${withoutScans}`);
const beginTogether = prepareStatement(
  sql`select ${withoutScans}, set_config('lock_timeout', ${String(batchLockMs)}, true)`,
);

interface Start {
  readonly report: NewReport;
  readonly limits: StartLimits;
  readonly once: OnceClaim | undefined;
}

/** Ends a transaction without its changes, with what came of it all the same: a start that was taken for nothing counts against no limit. */
class Undone extends Error {
  override readonly name = "Undone";
  readonly outcome: QueuedReport | null;
  constructor(outcome: QueuedReport | null) {
    super("The transaction is to be rolled back.");
    this.outcome = outcome;
  }
}

/**
 * The writer of new reports. Starts of one caller that come while one of theirs is being written are written together, because they would wait for
 * each other anyway, for the limits and for the commit: docs/decisions/0055-starts-of-one-caller-are-written-together.md.
 */
export function createQueuedStarts(database: Database): ReportStore["createQueued"] {
  const forOne = beginWith(database, beginAlone);
  const forMany = beginWith(database, beginTogether);
  const gather = gatherWrites<Start, QueuedReport>({
    together: (starts) => writeTogether(forMany, starts),
    alone: (start) => writeAlone(forOne, start),
  });
  return async (report, limits, once) => {
    const start = { report, limits, once };
    // They look at more than the caller.
    if (report.fileOf !== undefined || report.fireId !== undefined) return writeAlone(forOne, start);
    const most = Math.min(mostTogether, mostStarts(limits));
    return gather(JSON.stringify([ownerOf(report), limits.perMinute, limits.unfinished]), start, most);
  };
}

/** What a start would get that was made before; null where it would write something new. */
export async function findStarted(
  queries: Queries,
  coalesceKey: string | null,
  once: OnceClaim | undefined,
): Promise<QueuedReport | null> {
  const kept = once === undefined ? null : await readKey(queries, once);
  if (kept !== null) return replayOf(queries, kept);
  return coalesceKey === null ? null : findOpenTwin(queries, coalesceKey);
}

const selectAnyTwin = prepareStatement(
  sql`
    select from ${reports} where coalesce_key = any (string_to_array(${sql.placeholder("keys")}, ','))
      and status in ('QUEUED', 'RUNNING') and deleted_at is null limit 1`,
);

/** All of them, where each is new and the limits have room for all: otherwise nothing is written, and null says that each is to be written by itself. */
async function writeTogether(database: Database, starts: readonly Start[]): Promise<readonly QueuedReport[] | null> {
  const [{ report: first, limits }] = starts as readonly [Start, ...Start[]];
  const claims = starts.flatMap(({ once }) => once ?? []);
  const coalesceKeys = starts.flatMap(({ report }) => report.coalesceKey ?? []);
  // One of two that are the same gets what the other starts.
  if (hasRepeats(claims.map(({ endpoint, key }) => `${endpoint} ${key}`)) || hasRepeats(coalesceKeys)) return null;
  return database
    .transaction(
      async (queries): Promise<readonly QueuedReport[]> => {
        if (!(await takeKeys(queries, claims))) throw new Undone(null);
        const [{ quotas, refusal }, twins] = await Promise.all([
          takeStarts(queries, ownerOf(first), limits, starts.length),
          // Looked for and not run into: an insert waits for whoever is changing the twin.
          coalesceKeys.length === 0 ? [] : selectAnyTwin(queries, { keys: coalesceKeys.join(",") }),
        ]);
        if (refusal !== null || twins.length > 0) throw new Undone(null);
        const written = await insertQueued(
          queries,
          starts.map(({ report }) => report),
        );
        const created = written.filter((report) => report !== null);
        if (created.length < starts.length) throw new Undone(null);
        await keepAnswers(
          queries,
          created.flatMap((report, place) => {
            const { once } = starts[place]!;
            return once === undefined
              ? []
              : { claim: once, kept: { reportId: report.id, answer: once.answerOf(report) } };
          }),
        );
        return created.map((report, place) => ({ report, reused: false, quotas: quotas[place]! }));
      },
      (queries) => exists(queries, first.id),
    )
    .catch((error: unknown) => {
      // The database is not asked again by each of them. Anything else may lie in one of them, and each is told of its own.
      if (error instanceof StoreUnavailableError && !lockStates.has(codeOf(error) ?? "")) throw error;
      return null;
    });
}

function hasRepeats(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length;
}

async function writeAlone(database: Database, { report, limits, once }: Start): Promise<QueuedReport> {
  // An open twin may end between the refused insert and the look at it; then the key is free again. Of the runs of one schedule that begin
  // in one millisecond each try lets one through.
  for (let tries = 0; tries < 10; tries++) {
    const outcome = await database
      .transaction(
        async (queries): Promise<QueuedReport> => {
          const kept = once === undefined ? null : await takeKey(queries, once);
          if (kept !== null) return replayOf(queries, kept);
          const { coalesceKey } = report;
          // Behind the lock of the limits, where there is one: a twin of this moment is found, and given back whatever the limits say.
          const [{ quotas, refusal }, twin] = await Promise.all([
            takeStarts(queries, ownerOf(report), limits, 1),
            coalesceKey === null ? null : findOpenTwin(queries, coalesceKey),
          ]);
          if (twin !== null) throw new Undone(twin);
          if (refusal !== null) throw refusal;
          if (report.fileOf !== undefined) await holdSource(queries, report.fileOf);
          const [created = null] = await insertQueued(queries, [report]);
          if (created === null) throw new Undone(null);
          if (!(await insertManualFire(queries, report))) throw new Undone(null);
          if (once !== undefined)
            await keepAnswers(queries, [
              { claim: once, kept: { reportId: report.id, answer: once.answerOf(created) } },
            ]);
          return { report: created, reused: false, quotas: quotas[0]! };
        },
        (queries) => exists(queries, report.id),
      )
      .catch((error: unknown) => {
        if (error instanceof Undone) return error.outcome;
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

/** Against whose limits it counts. */
function ownerOf(report: NewReport): string {
  return report.countedFor ?? report.requestedBy;
}

async function replayOf(tx: Queries, { reportId, answer }: KeptAnswer): Promise<QueuedReport> {
  const [row] = await tx.select().from(reports).where(eq(reports.id, reportId));
  // A foreign key says that it is there as long as its answer is.
  return { report: toReport(row!), reused: false, replayed: answer };
}

async function exists(queries: Queries, id: string): Promise<boolean> {
  return (await queries.$count(reports, eq(reports.id, id))) > 0;
}

async function findOpenTwin(tx: Queries, coalesceKey: string): Promise<QueuedReport | null> {
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
