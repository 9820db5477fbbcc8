import { StoreUnavailableError } from "@reports/core/base";
import type { StartLimits } from "@reports/core/report";
import {
  freezePostgres,
  isFullTestRun,
  startPostgres,
  throwAwayPostgresSettings,
  waitFor,
  type PostgresServer,
  makeNewReport,
} from "@reports/testing";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase } from "./database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportStore } from "../reports/report-store.ts";
import { findRefusedStarts } from "./refused-starts.fixture.ts";
import { createWriteCheck } from "./write-probe.ts";

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres({ settings: throwAwayPostgresSettings });
  await migrateDatabase({ databaseUrl: server.url });
}, 120_000);

afterAll(() => server.stop("immediate", { keepData: false }));

async function readState(): Promise<{ readonly ids: ReadonlySet<string>; readonly busy: number }> {
  const database = createDatabase({ url: server.url, max: 1, applicationName: "read-state" });
  try {
    return await database.query(async (queries) => {
      const ids = await queries.execute<{ id: string }>(sql`select id from reports`);
      const [row] = await queries.execute<{ busy: number }>(
        sql`select count(*)::int as busy from pg_stat_activity where application_name = 'frozen' and state <> 'idle'`,
      );
      return { ids: new Set(ids.map(({ id }) => id)), busy: row!.busy };
    });
  } finally {
    await database.close();
  }
}

test.each<[string, StartLimits]>([
  // Outside of CI, only the next test refuses starts without limits. It delays COMMITs and does not freeze Postgres.
  ...(isFullTestRun ? [["without limits", { perMinute: 0, unfinished: 0 }] satisfies [string, StartLimits]] : []),
  ["behind the limits of their principals", { perMinute: 1_000, unfinished: 10_000 }],
])(
  "reports whose start was refused while Postgres was frozen do not exist later, %s",
  async (_, limits) => {
    const database = createDatabase({ url: server.url, max: 4, deadlineMs: 500, applicationName: "frozen" });
    const store = createReportStore(database);
    const started = new Set<string>();
    const refused = new Map<string, unknown>();
    const other: unknown[] = [];
    const over = new AbortController();
    const begun = { count: 0 };
    const startOne = async (caller: number): Promise<void> => {
      const report = makeNewReport({ requestedBy: `basic:caller-${caller}` });
      begun.count++;
      await store.createQueued(report, limits).then(
        () => started.add(report.id),
        (error: unknown) => {
          if (error instanceof StoreUnavailableError) refused.set(report.id, error);
          else other.push(error);
        },
      );
    };
    // The store writes starts of all callers in batches, and a start waits for the COMMIT of its batch. So each caller has two loops: one can start a
    // report while the other waits.
    const loop = async (_: unknown, number: number): Promise<void> => {
      while (!over.signal.aborted) await startOne(number % 8);
    };
    const loops = Array.from({ length: 16 }, loop);
    const waitForStarts = async (): Promise<void> => {
      const before = started.size;
      await waitFor(() => started.size > before + 50, { what: "starts to succeed" });
    };
    const late: Promise<void>[] = [];
    for (let round = 1; round <= (isFullTestRun ? 3 : 1); round++) {
      await waitForStarts();
      const refusedBefore = refused.size;
      const thaw = freezePostgres(server);
      try {
        // All loops may be waiting for one COMMIT. Only additional starts can then be refused.
        late.push(...Array.from({ length: 24 }, async (_, caller) => startOne(caller)));
        await waitFor(() => refused.size >= refusedBefore + 24, { what: "starts to be refused" });
      } finally {
        thaw();
      }
    }
    // Starts must succeed again after the last freeze.
    await waitForStarts();
    over.abort();
    await Promise.all([...loops, ...late]);
    await waitFor(async () => (await readState()).busy === 0, { what: "Postgres to finish everything that was sent" });
    await database.close();
    const { ids } = await readState();
    expect(other).toEqual([]);
    expect([...refused].filter(([id]) => ids.has(id))).toEqual([]);
    expect([...started].filter((id) => !ids.has(id))).toEqual([]);
    expect(started.size + refused.size).toBe(begun.count);
  },
  120_000,
);

test("reports whose start was refused while COMMITs waited for a missing standby do not exist later", async () => {
  const owner = postgres(server.url, { max: 1, onnotice: () => undefined });
  const setStandbys = async (change: string): Promise<void> => {
    await owner.unsafe(`alter system ${change}`);
    await owner`select pg_reload_conf()`;
  };
  try {
    const refused = await findRefusedStarts({ url: server.url, owner, deadlineMs: 2_000 }, async () => {
      await setStandbys("set synchronous_standby_names = 'missing'");
      await waitFor(async () => (await owner`show synchronous_standby_names`)[0]!["synchronous_standby_names"] !== "", {
        what: "the setting to be read",
      });
      return async () => setStandbys("reset synchronous_standby_names");
    });
    expect(refused).toEqual([]);
  } finally {
    // If the wait above fails, nothing else resets the setting, and the next test cannot write.
    await setStandbys("reset synchronous_standby_names");
    await owner.end();
  }
  // Each start would wait 120 s beyond its deadline if the service did not ask whether a standby delays the COMMIT.
}, 100_000);

const isReady = async (probe: () => Promise<void>): Promise<boolean> =>
  probe().then(
    () => true,
    () => false,
  );

test("the write probe sends one write to a slow Postgres and fails after maxWriteMs", async () => {
  const database = createDatabase({ url: server.url, max: 4 });
  let opened = 0;
  const counted = { query: (async (work) => (opened++, database.query(work))) as typeof database.query };
  const patient = createWriteCheck(counted, { everyMs: 0, maxWriteMs: 600_000 });
  const impatient = createWriteCheck(database, { everyMs: 0, retryMs: 0, maxWriteMs: 300 });
  try {
    await waitFor(async () => (await isReady(patient)) && (await isReady(impatient)), { what: "a write" });
    await waitFor(() => database.load().open === 0, { what: "writes to end" });
    const thaw = freezePostgres(server);
    try {
      const before = opened;
      expect(await Promise.all(Array.from({ length: 20 }, async () => isReady(patient)))).not.toContain(false);
      expect(opened).toBe(before + 1);
      await waitFor(async () => !(await isReady(impatient)), { what: "the impatient probe to fail" });
    } finally {
      thaw();
    }
    await waitFor(async () => (await isReady(patient)) && (await isReady(impatient)), { what: "a write again" });
  } finally {
    await database.close();
  }
}, 120_000);
