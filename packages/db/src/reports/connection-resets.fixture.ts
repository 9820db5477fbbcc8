import { setTimeout as pause } from "node:timers/promises";
import { StoreUnavailableError } from "@reports/core/base";
import { unlimitedStarts } from "@reports/core/report";
import { createFaultProxy, createSeededRandom, waitFor, makeNewReport } from "@reports/testing";
import { sql } from "drizzle-orm";
import { createDatabase, type Database } from "../database/database.ts";
import { createReportChangeFeed } from "./notifications.ts";
import { createReportStore } from "./report-store.ts";

// This program uses Postgres as the API does, through a proxy that resets connections at random moments. The last line of its output counts how the
// calls ended. No connection error may end the program.
const url = process.argv[2]!;
const [seed, rounds] = [Number(process.argv[3]), Number(process.argv[4])];
const upstream = new URL(url);
const random = createSeededRandom(seed, 0, 0);
const proxy = await createFaultProxy({ upstream: { host: upstream.hostname, port: Number(upstream.port) } });
upstream.port = String(proxy.port);
const proxiedUrl = upstream.href;

const outcomes = { done: 0, unavailable: 0, late: 0, live: 0, lost: 0, other: [] as string[] };
// After each failed connection, a pool pauses longer. With several small pools, enough connections are open in spite of these pauses.
const databases = Array.from({ length: 8 }, () => createDatabase({ url: proxiedUrl, max: 3, deadlineMs: 20_000 }));
// A database without the proxy, through which pg_terminate_backend ends the other connections. The driver handles an orderly end differently from a
// reset.
const directDatabase = createDatabase({ url, max: 1 });
const endBackends = sql`
  select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
const changes = createReportChangeFeed({
  url: proxiedUrl,
  database: databases[0]!,
  heartbeatMs: 20,
  maxBackoffMs: 20,
});
changes.listen({
  onChange: () => undefined,
  onLive: () => void outcomes.live++,
  onLost: () => void outcomes.lost++,
});
const stopController = new AbortController();

function describeError(error: unknown): string {
  const links: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = "code" in cause ? ` ${String(cause.code)}` : "";
    links.push(`${cause.constructor.name}${code}: ${cause.message.slice(0, 200)}`);
  }
  return links.join(" <- ") || String(error).slice(0, 200);
}

async function startReport(database: Database): Promise<void> {
  await createReportStore(database).createQueued(
    makeNewReport({ requestedBy: `basic:${random.integer(0, 1_000_000)}` }),
    unlimitedStarts,
  );
}

const callKinds = [
  startReport,
  (database: Database) => database.query((queries) => queries.execute(sql`select ${"x".repeat(2_000)}::text`)),
  (database: Database) => database.query((queries) => queries.execute(sql`select repeat('x', 20000), pg_sleep(0.002)`)),
  (database: Database) => database.check(),
  (database: Database) =>
    database.transaction((tx) =>
      Promise.all([1, 2, 3].map((number) => tx.execute(sql`select ${number}::int, pg_sleep(0.001)`))),
    ),
];

async function repeatCalls(database: Database): Promise<void> {
  while (!stopController.signal.aborted) {
    try {
      await random.pick(callKinds)(database);
      outcomes.done++;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) outcomes.other.push(describeError(error));
      else if (error.message.includes("did not answer within")) outcomes.late++;
      else outcomes.unavailable++;
      await pause(1);
    }
  }
}

const callLoops = databases.flatMap((database) => Array.from({ length: 6 }, () => repeatCalls(database)));
for (let round = 0; round < rounds; round++) {
  await proxy.set({
    kind: "reset",
    direction: random.pick(["to-upstream", "to-client"] as const),
    afterBytes: random.chance(0.5) ? random.integer(0, 1_500) : random.integer(0, 20_000),
  });
  await pause(random.integer(0, 20));
  if (random.chance(0.3)) await proxy.set({ kind: "none" });
  if (random.chance(0.5)) proxy.cut();
  if (random.chance(0.1)) await directDatabase.query((queries) => queries.execute(endBackends));
}
await proxy.set({ kind: "none" });
stopController.abort();
await Promise.all(callLoops);
for (const database of databases) {
  const answers = async (): Promise<unknown> =>
    Promise.all([1, 2, 3].map(() => database.query((queries) => queries.execute(sql`select pg_sleep(0.01)`))));
  await waitFor(async () => answers().then(Boolean, () => false), { what: "a pool to work again" });
}
await changes.close();
await Promise.all([...databases, directDatabase].map((database) => database.close()));
await proxy[Symbol.asyncDispose]();
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
