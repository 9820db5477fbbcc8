import type { WorkerRegistry } from "@reports/core";
import { eq, lt, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { workerHeartbeats } from "../schema/worker-heartbeats.ts";

/** The registry in Postgres. */
export function createWorkerRegistry(database: Database): WorkerRegistry {
  const before = (ms: number) => sql`clock_timestamp() - make_interval(secs => ${ms / 1000}::double precision)`;
  return {
    beat: ({ workerId, host, pid, version, lanes }, poolIds) =>
      database.query(async (queries) => {
        const row = { host, pid, version, lanes: [...lanes], poolIds: [...poolIds], beatAt: sql`clock_timestamp()` };
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
          .where(lt(workerHeartbeats.beatAt, before(olderThanMs)))
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
          .where(sql`${workerHeartbeats.beatAt} > ${before(deadAfterMs)}`);
        return row!;
      }),
  };
}
