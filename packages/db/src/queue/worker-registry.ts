import { workerDeadAfterMs, type WorkerRegistration, type WorkerRegistry } from "@reports/core/report";
import { and, eq, isNull, lt, notInArray, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { workerHeartbeats } from "../schema/worker-heartbeats.ts";
import { timeAgoSql, isYoungerThan } from "../database/interval-sql.ts";

export function createWorkerRegistry(database: Database): WorkerRegistry {
  return {
    heartbeat: (worker, poolIds) => database.query(async (queries) => writeHeartbeat(queries, worker, poolIds)),
    join: (worker, poolIds, ignored) =>
      database.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('workers:join', 0))`);
        const others = worker.webhookKeys.length === 0 ? [] : await readKeyHolders(tx, [...ignored, worker.workerId]);
        const isShared = others.some(({ keys }) => keys.some((key) => worker.webhookKeys.includes(key)));
        if (others.length > 0 && !isShared) return others;
        await writeHeartbeat(tx, worker, poolIds);
        return [];
      }),
    announceStop: (workerId) =>
      database.query(async (queries) => {
        await queries
          .update(workerHeartbeats)
          .set({ stoppingAt: sql`clock_timestamp()` })
          .where(eq(workerHeartbeats.workerId, workerId));
      }),
    remove: (workerId) =>
      database.query(async (queries) => {
        await queries.delete(workerHeartbeats).where(eq(workerHeartbeats.workerId, workerId));
      }),
    removeDead: (olderThanMs) =>
      database.query(async (queries) => {
        const rows = await queries
          .delete(workerHeartbeats)
          .where(lt(workerHeartbeats.heartbeatAt, timeAgoSql(olderThanMs)))
          .returning({ workerId: workerHeartbeats.workerId });
        return rows.length;
      }),
    state: (afterMs) =>
      database.query(async (queries) => {
        const [row] = await queries
          .select({
            running: sql<number>`count(*)::int`,
            oldestHeartbeatMs: sql<
              number | null
            >`greatest(0, extract(epoch from clock_timestamp() - min(${workerHeartbeats.heartbeatAt})) * 1000)::int`,
          })
          .from(workerHeartbeats)
          .where(isYoungerThan(workerHeartbeats.heartbeatAt, afterMs));
        return row!;
      }),
  };
}

async function writeHeartbeat(
  queries: Queries,
  { workerId, host, pid, version, lanes, servedTypes, spoolBytes = null, ...worker }: WorkerRegistration,
  poolIds: readonly string[],
): Promise<void> {
  const keys = { webhookKeys: [...worker.webhookKeys], poolIds: [...poolIds] };
  const served = { lanes: [...lanes], servedTypes, spoolBytes, ...keys };
  const row = { host, pid, version, ...served, heartbeatAt: sql`clock_timestamp()` };
  await queries
    .insert(workerHeartbeats)
    .values({ workerId, ...row })
    .onConflictDoUpdate({ target: workerHeartbeats.workerId, set: row });
}

async function readKeyHolders(queries: Queries, except: readonly string[]) {
  const { workerId, host, webhookKeys, heartbeatAt, stoppingAt } = workerHeartbeats;
  const rows = await queries
    .select({ workerId, host, keys: webhookKeys, lastSeenAt: heartbeatAt })
    .from(workerHeartbeats)
    .where(and(notInArray(workerId, [...except]), isNull(stoppingAt), isYoungerThan(heartbeatAt, workerDeadAfterMs)));
  return rows.flatMap(({ keys, ...worker }) => (keys === null || keys.length === 0 ? [] : [{ ...worker, keys }]));
}
