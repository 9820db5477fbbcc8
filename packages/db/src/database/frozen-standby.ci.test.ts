import {
  canStartReplica,
  freezePostgres,
  startReplicatedPostgres,
  waitFor,
  type ReplicatedPostgres,
} from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { findRefusedStarts } from "./refused-starts.fixture.ts";

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

  test("reports whose start was refused while a standby was frozen do not exist later", async () => {
    const { primary, replica } = servers;
    const refused = await findRefusedStarts({ url: primary.url, owner, deadlineMs: 4_000 }, async () => {
      const thaw = freezePostgres(replica);
      return async () => thaw();
    });
    expect(refused).toEqual([]);
    // This time limit fails the test if the service does not ask whether a standby delays the COMMIT. Each start would then wait
    // 120 s beyond its deadline.
  }, 100_000);
});
