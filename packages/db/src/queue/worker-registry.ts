import type { WorkerRegistry } from "@reports/core";
import { eq, lt, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { workerHeartbeats } from "../schema/worker-heartbeats.ts";
import { ago } from "../database/interval.ts";

/** The registry in Postgres. */
export function createWorkerRegistry(database: Database): WorkerRegistry {
  return {
    beat: ({ workerId, host, pid, version, lanes, servedTypes }, poolIds) =>
      database.query(async (queries) => {
        const served = { lanes: [...lanes], servedTypes, poolIds: [...poolIds] };
        const row = { host, pid, version, ...served, beatAt: sql`clock_timestamp()` };
        await queries
          .insert(workerHeartbeats)
          .values({ workerId, ...row })
          .onConflictDoUpdate({ target: workerHeartbeats.workerId, set: row });
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
          .where(lt(workerHeartbeats.beatAt, ago(olderThanMs)))
          .returning({ workerId: workerHeartbeats.workerId });
        return rows.length;
      }),
    state: (deadAfterMs) =>
      database.query(async (queries) => {
        const [row] = await queries
          .select({
            living: sql<number>`count(*)::int`,
            oldestBeatMs: sql<
              number | null
            >`(extract(epoch from clock_timestamp() - min(${workerHeartbeats.beatAt})) * 1000)::int`,
          })
          .from(workerHeartbeats)
          .where(sql`${workerHeartbeats.beatAt} > ${ago(deadAfterMs)}`);
        return row!;
      }),
  };
}
