import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { StoreUnavailableError } from "@reports/core/base";
import { createFaultProxy, createTestDatabases, isFullTestRun, waitFor } from "@reports/testing";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createDatabase } from "./database.ts";
import type { Queries } from "./queries.ts";

const { cloneDatabase } = createTestDatabases({ template: "touched", migrate: makeTable });

async function makeTable(url: string): Promise<void> {
  const database = createDatabase({ url, max: 1 });
  await database.query(async (queries) => {
    await queries.execute(sql`create table touched (id integer primary key, held boolean not null default false)`);
    await queries.execute(sql`create function wait_until_let_go() returns trigger language plpgsql as
      $$ begin if new.held then perform pg_advisory_xact_lock(1); end if; return null; end $$`);
    await queries.execute(sql`create constraint trigger wait_until_let_go after insert on touched
      deferrable initially deferred for each row execute function wait_until_let_go()`);
  });
  await database.close();
}

const insert = (queries: Queries, id: number, held = false) =>
  queries.execute(sql`insert into touched values (${id}, ${held})`);

const usualDeadlineMs = isFullTestRun ? 15_000 : 4_000;

/** Without this setting, Postgres would end the idle transaction before the client's deadline. */
const stayIdle = sql`set local idle_in_transaction_session_timeout = 0`;

const isThere = async (queries: Queries, id: number): Promise<boolean> =>
  (await queries.execute(sql`select from touched where id = ${id}`)).length === 1;

async function open(deadlineMs = usualDeadlineMs) {
  const clone = await cloneDatabase();
  const url = new URL(clone.url);
  const proxy = await createFaultProxy({ upstream: { host: url.hostname, port: Number(url.port) } });
  url.port = String(proxy.port);
  const database = createDatabase({ url: url.href, max: 2, deadlineMs, applicationName: "through-proxy" });
  const direct = createDatabase({ url: clone.url, max: 1 });
  // Opens the connections now, so that the deadline of a test's own call does not include it.
  for (const each of [database, direct]) await each.query((queries) => queries.execute(sql`select 1`));
  return {
    proxy,
    database,
    direct,
    hold: () => direct.query((queries) => queries.execute(sql`select pg_advisory_lock(1)`)),
    release: () => direct.query((queries) => queries.execute(sql`select pg_advisory_unlock(1)`)),
    untilCommitting: () =>
      waitFor(
        () =>
          direct.query(async (queries) => {
            const [row] = await queries.execute<{ pid: number }>(sql`
              select pid from pg_stat_activity
              where application_name = 'through-proxy' and query = 'commit' and state = 'active'
                and datname = current_database()`);
            return row?.pid;
          }),
        { what: "Postgres to commit" },
      ),
    async [Symbol.asyncDispose]() {
      await proxy.set({ kind: "none" });
      await database.close();
      await direct.close();
      await proxy[Symbol.asyncDispose]();
      await clone[Symbol.asyncDispose]();
    },
  };
}

test.concurrent("Postgres refuses a COMMIT that arrives after the caller's deadline", async () => {
  await using opened = await open();
  const { database, direct, proxy } = opened;
  const endsAt = performance.now() + usualDeadlineMs + 1_000;
  const run = database.transaction(async (tx) => {
    await insert(tx, 1);
    await tx.execute(stayIdle);
    await proxy.set({ kind: "black-hole" });
  });
  const settled = run.catch((error: unknown) => error);
  await waitFor(() => performance.now() > endsAt, { what: "the deadline to pass" });
  await proxy.set({ kind: "none" });
  expect(await settled).toBeInstanceOf(StoreUnavailableError);
  await expect(run).rejects.toThrow(/rolled back/);
  expect(await direct.query((queries) => isThere(queries, 1))).toBe(false);
  await database.transaction((tx) => insert(tx, 2));
});

test.concurrent("a transaction whose work ends after its caller's deadline is not committed", async () => {
  await using opened = await open();
  const { database, direct } = opened;
  const gate = Promise.withResolvers<void>();
  const inner = Promise.withResolvers<void>();
  const run = database.transaction(async (tx) => {
    try {
      await insert(tx, 1);
      await gate.promise;
    } finally {
      inner.resolve();
    }
  });
  await expect(run).rejects.toThrow(StoreUnavailableError);
  gate.resolve();
  await inner.promise;
  // Two concurrent queries occupy both connections of the pool. When they resolve, everything that the abandoned transaction had sent
  // before has run.
  await Promise.all([1, 2].map(() => database.query((queries) => queries.execute(sql`select 1`))));
  expect(await direct.query((queries) => isThere(queries, 1))).toBe(false);
});

test.concurrent("a database call resolves if Postgres commits although the connection is lost", async () => {
  await using opened = await open(30_000);
  const { database, proxy, hold, release, untilCommitting } = opened;
  await hold();
  const run = database.transaction(
    async (tx) => {
      await insert(tx, 1, true);
      return "done";
    },
    async (queries) => {
      const isFound = await isThere(queries, 1);
      // `hasHappened` runs for the first time before Postgres has committed, so it does not find the row. A later call finds it.
      await release();
      return isFound;
    },
  );
  await untilCommitting();
  proxy.cut();
  expect(await run).toBe("done");
});

/** Messages of Postgres: `committed` confirms a COMMIT. `timedOut` follows it if the statement timeout has passed during the COMMIT. */
const committed = Buffer.from("C\0\0\0\u000bCOMMIT\0");
const timedOut = Buffer.from("SERROR\0VERROR\0C57014\0Mcanceling statement due to statement timeout\0\0");

async function openTimingOut(upstream: URL) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + timedOut.length);
  const timeouts = { times: 0 };
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upward = connect({ host: upstream.hostname, port: Number(upstream.port) });
    sockets.push(client, upward);
    client.on("error", () => undefined).pipe(upward.on("error", () => undefined));
    upward.on("data", (data: Buffer) => {
      const end = data.indexOf(committed) + committed.length;
      if (end < committed.length) return void client.write(data);
      timeouts.times++;
      client.write(Buffer.concat([data.subarray(0, end), Buffer.from("E"), length, timedOut, data.subarray(end)]));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    timeouts,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.concurrent("a database call resolves if Postgres commits and then reports a timeout", async () => {
  await using clone = await cloneDatabase();
  const url = new URL(clone.url);
  await using way = await openTimingOut(new URL(clone.url));
  url.port = String(way.port);
  const database = createDatabase({ url: url.href, max: 1 });
  const run = database.transaction(
    async (tx) => {
      await insert(tx, 1);
      return "done";
    },
    (queries) => isThere(queries, 1),
  );
  expect(await run).toBe("done");
  expect(way.timeouts.times).toBe(1);
  await database.close();
});

test.concurrent("a database call rejects if its connection is lost before its COMMIT", async () => {
  await using opened = await open();
  const { database, direct, hold, untilCommitting } = opened;
  await hold();
  const run = database.transaction(
    (tx) => insert(tx, 1, true),
    (queries) => isThere(queries, 1),
  );
  run.catch(() => undefined);
  const pid = await untilCommitting();
  await direct.query((queries) => queries.execute(sql`select pg_terminate_backend(${pid})`));
  await expect(run).rejects.toThrow(StoreUnavailableError);
  expect(await direct.query((queries) => isThere(queries, 1))).toBe(false);
});

test.concurrent("a database call is refused immediately if too many wait; waiting ones complete", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url, max: 1, maxWaiting: 2 });
  const gate = Promise.withResolvers<void>();
  const calls = [
    database.transaction(() => gate.promise),
    database.query((queries) => isThere(queries, 1)),
    database.query((queries) => isThere(queries, 1)),
  ];
  await expect(database.query((queries) => isThere(queries, 1))).rejects.toThrow(/2 calls are waiting/);
  gate.resolve();
  expect(await Promise.all(calls)).toEqual([undefined, false, false]);
  await database.close();
});

test.concurrent("a database call whose deadline passes while it waits for a connection is not run", async () => {
  await using clone = await cloneDatabase();
  const database = createDatabase({ url: clone.url, max: 1, deadlineMs: usualDeadlineMs });
  const gate = Promise.withResolvers<void>();
  const first = database.transaction(async (tx) => {
    await tx.execute(stayIdle);
    await gate.promise;
  });
  const second = database.query((queries) => insert(queries, 1));
  await expect(first).rejects.toThrow(StoreUnavailableError);
  await expect(second).rejects.toThrow(StoreUnavailableError);
  gate.resolve();
  expect(await database.query((queries) => isThere(queries, 1))).toBe(false);
  await database.close();
});
