import type { NewReport, OnceClaim, QueuedReport, StartLimits } from "@reports/core/report";
import { eq, sql } from "drizzle-orm";
import { prependToTransactions, disableScansSql } from "../database/begin-with.ts";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { reports } from "../schema/reports.ts";
import type { UnwrittenBatch, BatchWriter } from "./create-write-batcher.ts";
import { claimKeysReturningTaken, storeResponses } from "./idempotency-store.ts";
import { insertQueuedReports } from "./insert-queued-reports.ts";
import { countStartsWithinLimits } from "./start-count-result.ts";

/** Lock timeouts in ms: for a batch of several callers, and of one. A lock that another process holds should delay only the start that needs it. */
const [sharedLockMs, ownLockMs] = [250, 1_000];

const beginTogether = (lockMs: number) =>
  prepareStatement(sql`select ${disableScansSql}, set_config('lock_timeout', ${String(lockMs)}, true)`);
const [beginShared, beginOwn] = [beginTogether(sharedLockMs), beginTogether(ownLockMs)];
/** Turns the lock timeout off before COMMIT. Commits with notifications wait for each other, and starts written alone would wait even longer. */
const waitToCommit = prepareStatement(sql`select set_config('lock_timeout', '0', true)`);

export interface RequestedStart {
  readonly report: NewReport;
  readonly limits: StartLimits;
  readonly once: OnceClaim | undefined;
}

class Apart extends Error {
  override readonly name = "Apart";
  readonly because: readonly RequestedStart[];
  constructor(because: readonly RequestedStart[]) {
    super("Some of the starts must be written alone.");
    this.because = because;
  }
}

const selectDuplicates = prepareStatement(
  sql`
    select coalesce_key from ${reports} where coalesce_key = any (string_to_array(${sql.placeholder("keys")}, ','))
      and status in ('QUEUED', 'RUNNING') and deleted_at is null`,
);

export function createBatchStartWriter(database: Database): BatchWriter<RequestedStart, QueuedReport> {
  const [forCallers, forCaller] = [
    prependToTransactions(database, beginShared),
    prependToTransactions(database, beginOwn),
  ];
  return async (starts) => {
    const callers = Map.groupBy(starts, countedPrincipalOf);
    return writeTogether(callers.size > 1 ? forCallers : forCaller, starts, callers);
  };
}

/** Writes all starts if each of them is new and no limit is exceeded. Otherwise writes nothing and returns the starts that must be written alone. */
async function writeTogether(
  database: Database,
  starts: readonly RequestedStart[],
  callers: ReadonlyMap<string, readonly RequestedStart[]>,
): Promise<readonly QueuedReport[] | UnwrittenBatch<RequestedStart>> {
  const repeated = starts.filter(isRepeated(starts));
  if (repeated.length > 0) return { because: repeated };
  const asked = [...callers].map(([principalId, own]) => ({
    principalId,
    limits: own[0]!.limits,
    starts: own.length,
  }));
  return database
    .transaction(
      async (queries): Promise<readonly QueuedReport[]> => {
        const used = new Set(
          await claimKeysReturningTaken(
            queries,
            starts.flatMap(({ once }) => once ?? []),
          ),
        );
        const [permits, duplicates] = await Promise.all([
          countStartsWithinLimits(queries, asked),
          // Duplicates are searched before the insert, because the insert would wait for a transaction that is changing a duplicate.
          findDuplicates(queries, starts),
        ]);
        const permitsOf = new Map(asked.map(({ principalId }, index) => [principalId, permits[index]!]));
        const apart = starts.filter(
          (start) =>
            (start.once !== undefined && used.has(start.once)) ||
            duplicates.has(start.report.coalesceKey) ||
            permitsOf.get(countedPrincipalOf(start))!.refusal !== null,
        );
        if (apart.length > 0) throw new Apart(apart);
        const written = await insertQueuedReports(
          queries,
          starts.map(({ report }) => report),
        );
        // A null in `written` means that another transaction has written a duplicate since the search.
        const refused = starts.filter((_, index) => written[index] === null);
        if (refused.length > 0) throw new Apart(refused);
        const created = written.filter((report) => report !== null);
        const responses = created.flatMap((report, index) => {
          const { once } = starts[index]!;
          return once === undefined
            ? []
            : { claim: once, stored: { reportId: report.id, answer: once.answerOf(report) } };
        });
        await Promise.all([storeResponses(queries, responses), waitToCommit(queries, {})]);
        return created.map((report, index) => {
          const start = starts[index]!;
          const caller = countedPrincipalOf(start);
          return { report, reused: false, quotas: permitsOf.get(caller)!.quotas[callers.get(caller)!.indexOf(start)]! };
        });
      },
      (queries) => reportExists(queries, starts[0]!.report.id),
    )
    .catch((error: unknown) => {
      if (error instanceof Apart) return error;
      throw error;
    });
}

/** Reports whether a start must be written alone: an earlier one has the same key, or its caller's limits have changed in between. */
function isRepeated(starts: readonly RequestedStart[]): (start: RequestedStart) => boolean {
  const limitsOf = new Map(starts.toReversed().map((start) => [countedPrincipalOf(start), start.limits]));
  const seen = new Set<string>();
  const isSeen = (text: string): boolean => seen.has(text) || !seen.add(text);
  return (start) => {
    const { report, limits, once } = start;
    const first = limitsOf.get(countedPrincipalOf(start))!;
    const keys = [
      once === undefined ? [] : JSON.stringify([once.principalId, once.endpoint, once.key]),
      report.coalesceKey ?? [],
    ].flat();
    return (
      keys.filter(isSeen).length > 0 || first.perMinute !== limits.perMinute || first.unfinished !== limits.unfinished
    );
  };
}

async function findDuplicates(queries: Queries, starts: readonly RequestedStart[]): Promise<ReadonlySet<unknown>> {
  const keys = starts.flatMap(({ report }) => report.coalesceKey ?? []);
  if (keys.length === 0) return new Set();
  const rows = await selectDuplicates(queries, { keys: keys.join(",") });
  return new Set(rows.map((row) => row["coalesce_key"]));
}

export function countedPrincipalOf({ report }: Pick<RequestedStart, "report">): string {
  return report.countedFor ?? report.requestedBy;
}

/** Called after a lost connection during COMMIT, to find out whether the transaction was committed. */
export async function reportExists(queries: Queries, id: string): Promise<boolean> {
  return (await queries.$count(reports, eq(reports.id, id))) > 0;
}
