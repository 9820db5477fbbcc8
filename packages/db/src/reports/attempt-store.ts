import type { Claim, Report, ReportStore } from "@reports/core/report";
import { createDatabase, type Database, type DatabaseOptions } from "../database/database.ts";
import type { ReportChangeNotifier } from "./report-change-notifier.ts";
import { createBatchClaimWriter, type ClaimRequest } from "./claim-reports.ts";
import { createBatchCompletionWriter, type CompletionRequest } from "./complete-reports.ts";
import { createWriteBatcher } from "./create-write-batcher.ts";
import { createReportStore } from "./report-store.ts";

export type AttemptStore = Pick<
  ReportStore,
  "claim" | "heartbeat" | "complete" | "fail" | "requeue" | "findKeptRows" | "isServedElsewhere"
>;

const maxTogether = 64;
const waitMs = 5;

/**
 * Opens connections for writes of attempts. On them, the database trigger sends no change notifications, because ReportChangeNotifier does. Plans use
 * indexes only, because Postgres may plan while a table is nearly empty. Generic plans avoid planning large statements again.
 */
export function createAttemptDatabase(options: Pick<DatabaseOptions, "url" | "max" | "queueSchema">): Database {
  return createDatabase({
    ...options,
    settings: {
      "reports.changes_told": "in batches",
      enable_seqscan: "off",
      enable_bitmapscan: "off",
      enable_hashjoin: "off",
      enable_mergejoin: "off",
      plan_cache_mode: "force_generic_plan",
    },
  });
}

/**
 * Creates the report store of attempts. A commit with a notification waits for all other such commits in the cluster, so `changes` sends
 * notifications in batches. Concurrent claims share statements, and so do completions:
 * docs/decisions/0092-claims-and-completions-share-statements.md. `attempts` is a pool from createAttemptDatabase, so that slow statements of other
 * parts don't delay heartbeats.
 */
export function createAttemptStore(
  attempts: Database,
  {
    actor,
    changes,
    running = () => 0,
  }: {
    readonly actor: string;
    readonly changes: Pick<ReportChangeNotifier, "add">;
    /**
     * Returns how many short reports this worker runs now. A completion waits for others, to share one statement, only if such reports are running.
     */
    readonly running?: () => number;
  },
): AttemptStore {
  const store = createReportStore(attempts, { actor });
  const claims = createWriteBatcher<ClaimRequest, Claim>(
    { together: createBatchClaimWriter(attempts, actor), alone: async ({ id, terms }) => store.claim(id, terms) },
    { atMost: maxTogether, waitMs: ({ isWriting }) => (isWriting ? waitMs : 0) },
  );
  const completions = createWriteBatcher<CompletionRequest, () => Report>(
    {
      together: createBatchCompletionWriter(attempts, actor),
      alone: async ({ id, attempt, completion }) => {
        const report = await store.complete(id, attempt, completion);
        return () => report;
      },
    },
    { atMost: maxTogether, waitMs: ({ isWriting, waiting }) => (isWriting || waiting < running() ? waitMs : 0) },
  );
  /** Notifies after a failure too, because the transaction may have been committed before the connection was lost. */
  const notifying = async <T>(id: string, change: "end" | "step", work: Promise<T>): Promise<T> =>
    work.finally(() => changes.add(id, change));
  return {
    claim: async (id, terms) => notifying(id, "step", claims(actor, { id, terms }, maxTogether)),
    heartbeat: async (id, attempt, beat) => {
      const written = store.heartbeat(id, attempt, beat);
      return beat.progress === undefined ? written : notifying(id, "step", written);
    },
    complete: async (id, attempt, completion) =>
      notifying(
        id,
        "end",
        // A row snapshot is a second record. It needs a transaction, which a shared statement doesn't have.
        (completion.keptRows ?? null) === null
          ? completions(actor, { id, attempt, completion }, maxTogether).then((read) => read())
          : store.complete(id, attempt, completion),
      ),
    fail: async (id, attempt, failure) => notifying(id, "end", store.fail(id, attempt, failure)),
    requeue: async (id, attempt, retry) => notifying(id, "step", store.requeue(id, attempt, retry)),
    findKeptRows: store.findKeptRows,
    isServedElsewhere: store.isServedElsewhere,
  };
}
