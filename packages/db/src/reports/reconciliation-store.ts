import { reportIdOfStorageKey, type ReconciliationStore } from "@reports/core/report";
import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { addReconcilerLogRow } from "./reconciler-log.ts";
import { isOlderThan, isYoungerThan, timeAgoSql } from "../database/interval-sql.ts";
import { expireReports } from "./retention-store.ts";
import { reconcilerLog } from "../schema/file-removals-table.ts";
import { createOrphanRemovalStore } from "./scheduled-removals.ts";
import { fileMismatches } from "../schema/maintenance.ts";
import { readNamedFiles, readRandomNamedFiles } from "./named-files.ts";
import { reports } from "../schema/reports.ts";

const maxSuspicions = 100;
/** A store with at most this many files is compared in every round, which takes about a second of processor time. */
const maxFilesPerRound = 10_000;
const logRetentionMs = 90 * 86_400_000;

const unnamedRows = z.array(z.object({ key: z.string(), isReportKnown: z.boolean() }));
const dueRow = z.object({ due: z.boolean() });
const actionCounts = z.array(z.object({ removed: z.coerce.number(), expired: z.coerce.number() }));

/** All keys are one parameter, because Postgres limits the number of parameters. */
function isKeyAmong(keys: readonly string[]): SQL {
  return sql`${reports.fileStorageKey} = any(array(select jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb)))`;
}

export function createReconciliationStore(database: Database): ReconciliationStore {
  const isNamed = and(eq(reports.status, "SUCCEEDED"), isNull(reports.deletedAt), isNotNull(reports.fileStorageKey));
  return {
    ...createOrphanRemovalStore(database),
    async unnamed(keys) {
      if (keys.length === 0) return [];
      return database.query(async (queries) => {
        const stored = keys.map((key) => ({ key, report: reportIdOfStorageKey(key) }));
        const rows = await queries.execute(sql`
          select key, exists (select from reports where id = stored.report) as "isReportKnown"
          from jsonb_to_recordset(${JSON.stringify(stored)}::text::jsonb) as stored (key text, report uuid)
          where not exists (select from reports where file_storage_key = stored.key and deleted_at is null)
            and not exists (select from file_removals where storage_key = stored.key and reason <> 'no-record')
            and not exists (select from damaged_files where storage_key = stored.key)`);
        return unnamedRows.parse([...rows]);
      });
    },
    named: (range, minAgeMs) => readNamedFiles(database, range, minAgeMs),
    randomNamed: async (count, minAgeMs) => readRandomNamedFiles(database, count, minAgeMs),
    countNamed: async (keys) =>
      keys.length === 0
        ? 0
        : database.query(async (queries) => queries.$count(reports, and(isNamed, isKeyAmong(keys)))),
    randomKnown: (kind, count) =>
      database.query(async (queries) => {
        const rows = await queries
          .select({ key: fileMismatches.storageKey })
          .from(fileMismatches)
          .where(eq(fileMismatches.kind, kind))
          .orderBy(sql`random()`)
          .limit(count);
        return rows.map(({ key }) => key);
      }),
    isComparisonDue: ({ everyMs, unconfirmedMs, missingMs }) =>
      database.query(async (queries) => {
        // Rows with higher IDs than the row of the last comparison hold its findings. Files of unknown reports and refused repairs are not among
        // the known differences, so only the next comparison shows whether they are gone.
        const [row] = await queries.execute(sql`
          with last as (
            select id as round, files from reconciler_log
            where action = 'compared' and ${isYoungerThan(reconcilerLog.at, everyMs)} order by id desc limit 1)
          select not exists (select from last where files > ${maxFilesPerRound})
            or exists (select from reconciler_log, last where id > round and action in ('unknown', 'refused', 'undone'))
            or exists (select from file_mismatches where ${isYoungerThan(fileMismatches.firstSeenAt, unconfirmedMs)})
            or exists (select from file_mismatches where kind = 'no-object' and ${isOlderThan(fileMismatches.firstSeenAt, missingMs)})
            or exists (select from file_removals where reason = 'no-record' and due_at < clock_timestamp()) as due`);
        return dueRow.parse(row).due;
      }),
    suspect: (keys) =>
      database.query(async (queries) => {
        if (keys.length === 0) return;
        await queries.execute(sql`
          insert into file_suspicions (report_id)
          select id from reports where ${isNamed} and ${isKeyAmong(keys)}
          limit greatest(0, ${maxSuspicions} - (select count(*) from file_suspicions))
          on conflict do nothing`);
      }),
    begin: () =>
      database.query(async (queries) => {
        await queries.delete(reconcilerLog).where(lt(reconcilerLog.at, timeAgoSql(logRetentionMs)));
        const [row] = await queries
          .insert(reconcilerLog)
          .values({ action: "begun", files: 0 })
          .returning({ id: reconcilerLog.id });
        return row!.id;
      }),
    async note(round, kind, keys) {
      if (keys.length === 0) return;
      await database.query(async (queries) => {
        // All keys are one parameter, because Postgres limits the number of parameters. If the kind of a key's difference has changed, its age
        // counts from now.
        await queries.execute(sql`
          insert into file_mismatches as known (storage_key, kind, seen_in)
          select key, ${kind}::text, ${round}::bigint from jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb) as found (key)
          on conflict (storage_key) do update set
            kind = excluded.kind,
            first_seen_at = case when known.kind = excluded.kind then known.first_seen_at else excluded.first_seen_at end,
            seen_in = greatest(known.seen_in, excluded.seen_in)`);
      });
    },
    known: (kind, minAgeMs, after, limit) =>
      database.query(async (queries) => {
        const rows = await queries
          .select({ key: fileMismatches.storageKey })
          .from(fileMismatches)
          .where(
            and(
              eq(fileMismatches.kind, kind),
              lt(fileMismatches.firstSeenAt, timeAgoSql(minAgeMs)),
              after === null ? undefined : gt(fileMismatches.storageKey, after),
            ),
          )
          .orderBy(asc(fileMismatches.storageKey))
          .limit(limit);
        return rows.map(({ key }) => key);
      }),
    recentRepairs: (withinMs) =>
      database.query(async (queries) => {
        const rows = await queries.execute(sql`
          select coalesce(sum(files) filter (where action = 'removed'), 0) as removed,
            coalesce(sum(files) filter (where action = 'expired'), 0) as expired
          from reconciler_log where at > ${timeAgoSql(withinMs)}`);
        return actionCounts.parse([...rows])[0]!;
      }),
    expireNamed: (keys) =>
      database.transaction(async (tx) => {
        if (keys.length === 0) return 0;
        // The files are already missing, so nothing is added to the removal list.
        const expired = await expireReports(tx, and(isNamed, inArray(reports.fileStorageKey, [...keys])), keys.length);
        await addReconcilerLogRow(tx, "expired", expired.length);
        return expired.length;
      }),
    close: (round, { files, unknown, refused }) =>
      database.transaction(async (tx) => {
        await addReconcilerLogRow(tx, "unknown", unknown);
        await addReconcilerLogRow(tx, "refused", refused);
        await tx.update(reconcilerLog).set({ action: "compared", files }).where(eq(reconcilerLog.id, round));
      }),
  };
}
