import type { NewReport, OnceClaim, StartLimits } from "@reports/core/report";
import { createFaultProxy, createTestDatabases, makeNewReport, otherOwnerPrincipals } from "@reports/testing";
import postgres from "postgres";
import { createDatabase } from "../database/database.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { createReportStore } from "./report-store.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });
const others = [...otherOwnerPrincipals];
const limited: StartLimits = { perMinute: 20, unfinished: 20 };

/** Opens the stores of two APIs. The first one uses a proxy. */
export async function openStores({ deadlineMs = 60_000 }: { readonly deadlineMs?: number } = {}) {
  const clone = await cloneDatabase();
  const proxied = new URL(clone.url);
  const proxy = await createFaultProxy({ upstream: { host: proxied.hostname, port: Number(proxied.port) } });
  proxied.port = String(proxy.port);
  const databases = [proxied.href, clone.url].map((url) => createDatabase({ url, deadlineMs }));
  const stores = databases.map((database) => createReportStore(database));
  const sql = postgres(clone.url, { max: 2, onnotice: () => undefined });
  await Promise.all(stores.flatMap((store) => Array.from({ length: 10 }, () => store.findStarted("nothing"))));
  return {
    sql,
    proxy,
    start: async (
      caller: string,
      changes: Partial<NewReport> = {},
      { once, limits = limited, instance = 0 }: { once?: OnceClaim; limits?: StartLimits; instance?: number } = {},
    ) => stores[instance]!.createQueued(makeNewReport({ requestedBy: caller, ...changes }), limits, once),
    readBatches: async () => {
      const rows = await sql`
        select array_agg(requested_by order by requested_by) as callers from reports
        where requested_by <> all (${others}) group by xmin::text order by xmin::text::bigint`;
      return rows.map((row) => row["callers"] as readonly string[]);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(databases.map((database) => database.close()));
      await sql.end();
      await proxy[Symbol.asyncDispose]();
      await clone[Symbol.asyncDispose]();
    },
  };
}
