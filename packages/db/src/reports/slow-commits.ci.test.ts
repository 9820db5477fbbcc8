import { unlimitedStarts } from "@reports/core/report";
import { makeNewReport, startPostgres, waitFor } from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportStore } from "./report-store.ts";

test("starts of different callers share a transaction even if its COMMIT waits long", async () => {
  const server = await startPostgres({ settings: { fsync: "on", commit_siblings: "0" } });
  const database = createDatabase({ url: server.url });
  const sql = postgres(server.url, { max: 10, onnotice: () => undefined });
  const over = new AbortController();
  const commitRepeatedly = async (): Promise<void> => {
    while (!over.signal.aborted) await sql`with w as (insert into written values (1)) select pg_notify('anything', '')`;
  };
  try {
    await migrateDatabase({ databaseUrl: server.url });
    const store = createReportStore(database);
    await Promise.all(Array.from({ length: 10 }, () => store.findStarted("nothing")));
    await sql`create table written (number integer)`;
    await sql`alter system set commit_delay = 100000`;
    await sql`select pg_reload_conf()`;
    const commits = Promise.allSettled(Array.from({ length: 9 }, commitRepeatedly));
    const isBlocked = async () =>
      (await sql`select from pg_locks where not granted and locktype = 'object' and classid = 1262`).length > 5;
    await waitFor(isBlocked, { what: "transactions to wait for each other" });
    await Promise.all(
      ["alice", "bob"].map(async (requestedBy) => store.createQueued(makeNewReport({ requestedBy }), unlimitedStarts)),
    );
    over.abort();
    await commits;
    expect(await sql`select from reports where requested_by in ('alice', 'bob') group by xmin::text`).toHaveLength(1);
  } finally {
    over.abort();
    await Promise.all([database.close(), sql.end()]);
    await server.stop("immediate");
  }
});
