import { DomainError } from "@reports/core/base";
import type { OnceClaim, QueuedReport, ReportStore } from "@reports/core/report";
import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { prependToTransactions, disableScansSql } from "../database/begin-with.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { tryInsertManualRun } from "../schedules/insert-schedule-runs.ts";
import { reports } from "../schema/reports.ts";
import { createWriteBatcher, type WriteBatchPolicy } from "./create-write-batcher.ts";
import {
  storeResponses,
  readStoredResponse,
  claimKeyOrReadResponse,
  type StoredResponse,
} from "./idempotency-store.ts";
import { insertQueuedReports } from "./insert-queued-reports.ts";
import { lockReportForRendition } from "./report-files.ts";
import { toReport } from "./report-row.ts";
import { maxStarts, countStartsWithinLimits } from "./start-count-result.ts";
import { countedPrincipalOf, reportExists, createBatchStartWriter, type RequestedStart } from "./starts-together.ts";

/**
 * One transaction writes at most 100 starts, or fewer if a caller's limits are lower. While a transaction is running, new starts wait up to 20 ms.
 */
const policy: WriteBatchPolicy = { atMost: 100, waitMs: ({ isWriting }) => (isWriting ? 20 : 0) };

const beginAlone = prepareStatement(sql`select ${disableScansSql}`);
/**
 * Rolls back a transaction that wrote nothing new, so that the start doesn't count against a limit. If `outcome` is null, the start is tried again.
 */
class RolledBack extends Error {
  override readonly name = "RolledBack";
  readonly outcome: QueuedReport | null;
  constructor(outcome: QueuedReport | null) {
    super("The transaction wrote nothing new and is rolled back.");
    this.outcome = outcome;
  }
}

/**
 * Creates the function that queues starts. It writes concurrent starts of callers in one transaction:
 * docs/decisions/0088-starts-of-all-callers-are-written-together.md.
 */
export function createStartWriter(database: Database): ReportStore["createQueued"] {
  const forOne = prependToTransactions(database, beginAlone);
  const gather = createWriteBatcher<RequestedStart, QueuedReport>(
    { together: createBatchStartWriter(database), alone: async (start) => writeAlone(forOne, start) },
    policy,
  );
  return async (report, limits, once) => {
    const start = { report, limits, once };
    // An additional format locks its report, and a schedule's run locks the schedule. In a shared transaction, they would delay other starts.
    if (report.fileOf !== undefined || report.fireId !== undefined) return writeAlone(forOne, start);
    return gather(countedPrincipalOf(start), start, maxStarts(limits));
  };
}

export async function findExistingStart(
  queries: Queries,
  coalesceKey: string | null,
  once: OnceClaim | undefined,
): Promise<QueuedReport | null> {
  const stored = once === undefined ? null : await readStoredResponse(queries, once);
  if (stored !== null) return replayOf(queries, stored);
  return coalesceKey === null ? null : findOpenDuplicate(queries, coalesceKey);
}

async function writeAlone(database: Database, { report, limits, once }: RequestedStart): Promise<QueuedReport> {
  // Tries again if a duplicate ended before it was read, or if manual runs of a schedule conflict in the same millisecond.
  for (let tries = 0; tries < 10; tries++) {
    const outcome = await database
      .transaction(
        async (queries): Promise<QueuedReport> => {
          const stored = once === undefined ? null : await claimKeyOrReadResponse(queries, once);
          if (stored !== null) return replayOf(queries, stored);
          const { coalesceKey } = report;
          // countStartsWithinLimits locks the caller's limits first. A concurrent duplicate is then found, and returned even if a limit is exceeded.
          const [[permit], duplicate] = await Promise.all([
            countStartsWithinLimits(queries, [{ principalId: countedPrincipalOf({ report }), limits, starts: 1 }]),
            coalesceKey === null ? null : findOpenDuplicate(queries, coalesceKey),
          ]);
          if (duplicate !== null) throw new RolledBack(duplicate);
          const { quotas, refusal } = permit!;
          if (refusal !== null) throw refusal;
          if (report.fileOf !== undefined) await lockReportForRendition(queries, report.fileOf);
          const [created = null] = await insertQueuedReports(queries, [report]);
          if (created === null) throw new RolledBack(null);
          if (!(await tryInsertManualRun(queries, report))) throw new RolledBack(null);
          if (once !== undefined)
            await storeResponses(queries, [
              { claim: once, stored: { reportId: report.id, answer: once.answerOf(created) } },
            ]);
          return { report: created, reused: false, quotas: quotas[0]! };
        },
        (queries) => reportExists(queries, report.id),
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

async function replayOf(tx: Queries, { reportId, answer }: StoredResponse): Promise<QueuedReport> {
  const [row] = await tx.select().from(reports).where(eq(reports.id, reportId));
  // A foreign key removes the response together with its report, so the row exists.
  return { report: toReport(row!), reused: false, replayed: answer };
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
