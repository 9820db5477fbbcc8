import { text as readText } from "node:stream/consumers";
import { builtInReportTypes } from "@reports/core/report";
import {
  canStartReplica,
  freezePostgres,
  generateDemoInventory,
  startReplicatedPostgres,
  waitFor,
  type ReplicatedPostgres,
} from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyIntoInventory } from "../inventory/copy-into-inventory.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createRowSourceReader } from "./report-source.ts";

const definition = builtInReportTypes.find(({ type }) => type === "PROXY")!;

describe.skipIf(!canStartReplica())("a report that is read from a streaming replica", () => {
  let servers: ReplicatedPostgres;
  let primary: Sql;
  let replica: Sql;

  beforeAll(async () => {
    servers = await startReplicatedPostgres({
      // With a timeout of 2 s, an idle primary sends a message per second, from which the replica knows that it is current.
      primary: { wal_sender_timeout: "2s" },
      replica: {},
    });
    primary = postgres(servers.primary.url, { max: 1, onnotice: () => undefined });
    replica = postgres(servers.replica.url, { max: 1, onnotice: () => undefined });
    await migrateDatabase({ databaseUrl: servers.primary.url });
    await copyIntoInventory({
      databaseUrl: servers.primary.url,
      ...generateDemoInventory({ proxies: 20, domains: 50, asOf: new Date() }),
    });
    await untilReplayed();
  }, 180_000);

  afterAll(async () => {
    await primary?.end();
    await replica?.end();
    await servers?.[Symbol.asyncDispose]();
  });

  async function untilReplayed(): Promise<void> {
    const [row] = await primary<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`;
    const isReplayed = async () => {
      const [state] = await replica<
        { done: boolean }[]
      >`select pg_last_wal_replay_lsn() >= ${row!.lsn}::pg_lsn as done`;
      return state!.done;
    };
    await waitFor(isReplayed, { what: "the replica to replay" });
  }

  async function setDelay(delay: string): Promise<void> {
    await replica.unsafe(`alter system set recovery_min_apply_delay = '${delay}'`);
    await replica`select pg_reload_conf()`;
    const isSet = async () => (await replica`show recovery_min_apply_delay`)[0]!["recovery_min_apply_delay"] === delay;
    await waitFor(isSet, { what: "the delay to be set" });
  }

  async function read(options: { readonly url?: string; readonly attempt?: number } = {}) {
    const source = createRowSourceReader({
      url: options.url ?? servers.replica.url,
      primaryUrl: servers.primary.url,
      lagWarningMs: 1_000,
    });
    const rows = await source.open({
      definition,
      searchParam: {},
      columns: definition.columns.filter(({ key }) => key === "name"),
      sort: [{ key: "name", descending: false }],
      timezone: "UTC",
      statementTimeoutMs: 60_000,
      attempt: options.attempt ?? 1,
      signal: new AbortController().signal,
    });
    const names = (await readText(rows.bytes)).trimEnd().split("\n");
    return { names, dataAsOf: rows.dataAsOf, warnings: rows.warnings ?? [] };
  }

  const readWithWarning = async () =>
    waitFor(
      async () => {
        const found = await read();
        return found.warnings.length > 0 ? found : null;
      },
      { what: "the lag to be worth a warning" },
    );

  const touch = async (name: string): Promise<Date> => {
    const [row] = await primary<{ at: Date }[]>`
      update proxies set name = ${name} where id = (select min(id::text)::uuid from proxies) returning clock_timestamp() as at`;
    return row!.at;
  };

  test("a replica's rows count as current while its idle primary is connected", async () => {
    const at = await touch("idle");
    await untilReplayed();
    await waitFor(async () => (await read()).dataAsOf.getTime() > at.getTime() + 2_000, {
      what: "a report that is newer than the last change",
    });
    expect((await read()).dataAsOf.getTime()).toBeLessThanOrEqual(Date.now());
  }, 120_000);

  test("a replica's rows stop counting as current when its primary falls silent", async () => {
    const thaw = freezePostgres(servers.primary);
    try {
      const frozenAt = Date.now();
      const { dataAsOf, warnings } = await readWithWarning();
      expect(dataAsOf.getTime()).toBeLessThanOrEqual(frozenAt);
      expect(warnings).toEqual([{ code: "DATA_BEHIND", message: expect.stringContaining(dataAsOf.toISOString()) }]);
    } finally {
      thaw();
    }
  }, 120_000);

  test("a report from a lagging replica has its last change's time and a warning", async () => {
    await untilReplayed();
    await setDelay("1h");
    try {
      const at = await touch("not-replayed");
      await waitFor(
        async () => (await replica`select pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn() as waits`)[0]!["waits"],
        { what: "the change to be received" },
      );
      const { names, dataAsOf, warnings } = await readWithWarning();
      expect(names).not.toContain("not-replayed");
      expect(dataAsOf.getTime()).toBeLessThan(at.getTime());
      expect(warnings).toEqual([{ code: "DATA_BEHIND", message: expect.stringContaining(dataAsOf.toISOString()) }]);
      expect((await read({ attempt: 2 })).names).not.toContain("not-replayed");
      const third = await read({ attempt: 3 });
      expect(third.names).toContain("not-replayed");
      expect(third.dataAsOf.getTime()).toBeGreaterThanOrEqual(at.getTime());
      expect(third.warnings).toEqual([]);
    } finally {
      await setDelay("0");
    }
  }, 120_000);

  test("dataAsOf is at most 61 s old if the role can't read pg_stat_wal_receiver", async () => {
    await primary.unsafe("create role reader login password 'reader' in role pg_read_all_data");
    await primary.unsafe("alter function report_primary_heard_at() owner to reader");
    await untilReplayed();
    const url = new URL(servers.replica.url);
    url.username = "reader";
    url.password = "reader";
    const before = Date.now();
    const { dataAsOf } = await read({ url: url.href });
    expect(dataAsOf.getTime()).toBeLessThanOrEqual(before);
    // The role can't see when the primary last sent a message. So dataAsOf is at least now minus wal_receiver_timeout (60 s): a replica disconnects from a primary that is silent for longer.
    expect(dataAsOf.getTime()).toBeGreaterThan(before - 61_000);
  });
});
