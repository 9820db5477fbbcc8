import { CommitOutcomeUnknownError, StoreUnavailableError } from "@reports/core/base";
import { unlimitedStarts } from "@reports/core/report";
import {
  canStartReplica,
  freezePostgres,
  makeNewReport,
  startReplicatedPostgres,
  waitFor,
  type ReplicatedPostgres,
} from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportStore } from "../reports/report-store.ts";
import { createDatabase } from "./database.ts";
import { createWriteCheck } from "./write-probe.ts";

describe.skipIf(!canStartReplica())("with a synchronous standby", () => {
  let servers: ReplicatedPostgres;
  let owner: Sql;

  beforeAll(async () => {
    servers = await startReplicatedPostgres({ primary: {}, replica: {} });
    owner = postgres(servers.primary.url, { max: 1, onnotice: () => undefined });
    await migrateDatabase({ databaseUrl: servers.primary.url });
    await owner`alter system set synchronous_standby_names = '*'`;
    await owner`select pg_reload_conf()`;
    const isSynchronous = async () =>
      (await owner`select from pg_stat_replication where sync_state = 'sync'`).length === 1;
    await waitFor(isSynchronous, { what: "the standby to be synchronous" });
  }, 180_000);

  afterAll(async () => {
    await owner?.end();
    await servers?.[Symbol.asyncDispose]();
  });

  const readIds = async (): Promise<ReadonlySet<string>> =>
    new Set((await owner<{ id: string }[]>`select id from reports`).map(({ id }) => id));

  test("reports whose start was refused while a standby was frozen do not exist later", async () => {
    const database = createDatabase({ url: servers.primary.url, max: 4, deadlineMs: 4_000, commitWaitMs: 120_000 });
    const probe = createWriteCheck(database, { everyMs: 0, retryMs: 0, maxWriteMs: 4_000 });
    const isWritable = () =>
      probe().then(
        () => true,
        () => false,
      );
    const store = createReportStore(database);
    const outcomes = new Map<string, unknown>();
    const start = async (requestedBy: string): Promise<void> => {
      const report = makeNewReport({ requestedBy });
      await store.createQueued(report, unlimitedStarts).then(
        () => outcomes.set(report.id, "started"),
        (error: unknown) => outcomes.set(report.id, error),
      );
    };
    const wave = async (): Promise<readonly unknown[]> => {
      outcomes.clear();
      const callers = Array.from({ length: 20 }, (_, number) => `basic:caller-${Math.max(0, number - 10)}`);
      await Promise.all(callers.map(start));
      return [...outcomes.values()];
    };
    const isWaveStarted = async () => (await wave()).every((outcome) => outcome === "started");
    const refusedBefore = async (): Promise<readonly string[]> => {
      const ids = await readIds();
      return [...outcomes].flatMap(([id, outcome]) =>
        ids.has(id) && outcome instanceof StoreUnavailableError && !(outcome instanceof CommitOutcomeUnknownError)
          ? [id]
          : [],
      );
    };
    try {
      await waitFor(isWaveStarted, { what: "all starts to succeed" });
      await waitFor(isWritable, { what: "a write" });

      const thaw = freezePostgres(servers.replica);
      let first: ReadonlyMap<string, unknown>;
      try {
        const answers = await wave();
        expect(answers.every((answer) => answer instanceof StoreUnavailableError)).toBe(true);
        expect(answers.some((answer) => answer instanceof CommitOutcomeUnknownError)).toBe(true);
        first = new Map(outcomes);
        const later = await wave();
        expect(later.every((answer) => answer instanceof StoreUnavailableError)).toBe(true);
        expect(later.filter((answer) => answer instanceof CommitOutcomeUnknownError)).toEqual([]);
        await waitFor(async () => !(await isWritable()), { what: "the probe to fail" });
      } finally {
        thaw();
      }
      await waitFor(isWritable, { what: "writes again" });
      const isIdle = async () =>
        (
          await owner`select from pg_stat_activity where wait_event = 'SyncRep' or state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'`
        ).length === 0;
      await waitFor(isIdle, { what: "Postgres to finish" });
      expect(await refusedBefore()).toEqual([]);
      for (const [id, outcome] of first) outcomes.set(id, outcome);
      expect(await refusedBefore()).toEqual([]);
      await waitFor(isWaveStarted, { what: "all starts to succeed again" });
    } finally {
      await database.close();
    }
    // This time limit fails the test if the service does not ask whether a standby delays the COMMIT. Each start would then wait
    // 120 s beyond its deadline.
  }, 100_000);
});
