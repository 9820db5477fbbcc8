import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createFaultProxy, createTestDatabases, isFullTestRun, waitFor } from "@reports/testing";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { waitForDatabase } from "../migrations/wait-for-database.ts";

// The check of other owners' records at the end could not connect, because one of the tests makes its database refuse connections.
const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});

const [seed, rounds] = [1, isFullTestRun ? 150 : 25];

test("connections reset at random moments fail only their calls and end no process", async () => {
  await using clone = await cloneDatabase();
  const fixture = fileURLToPath(new URL("connection-resets.fixture.ts", import.meta.url));
  // An unhandled error ends the separate process, and this call then rejects with its output.
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--conditions=@reports/source",
    fixture,
    clone.url,
    String(seed),
    String(rounds),
  ]);
  const outcomes: unknown = JSON.parse(stdout.trim().split("\n").at(-1)!);
  expect(outcomes).toMatchObject({ late: 0, other: [] });
  expect(outcomes).not.toMatchObject({ unavailable: 0 });
  expect(outcomes).not.toMatchObject({ done: 0 });
}, 120_000);

const reset = () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });

async function resetLate(socket: Socket): Promise<void> {
  setImmediate(() => socket.destroy(reset()));
  await new Promise<void>((resolve) => void socket.once("close", () => resolve()));
}

async function openPool(url: string, onWrite: (socket: Socket, data: Buffer) => void = () => undefined) {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const open = async (): Promise<Socket> => {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    sockets.push(socket);
    const write = socket.write.bind(socket);
    socket.write = (data: Uint8Array | string) => {
      onWrite(socket, Buffer.from(data));
      return write(data);
    };
    return socket;
  };
  const options = { max: 1, onnotice: () => undefined, session: "set application_name = 'resets'", socket: open };
  return { client: postgres(url, options), sockets };
}

async function outcomesOf(works: readonly PromiseLike<unknown>[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(works);
  return outcomes.map((outcome) => {
    if (outcome.status === "rejected") return (outcome.reason as { code?: string }).code;
    return Array.isArray(outcome.value) ? [...(outcome.value as unknown[])] : outcome.value;
  });
}

describe.each(["idle", "busy"] as const)("a connection that is %s", (state) => {
  test.each(["a query", "a transaction"] as const)(
    "%s sent between the error and the close of its connection fails and never runs",
    async (kind) => {
      await using clone = await cloneDatabase();
      const { client, sockets } = await openPool(clone.url);
      await client.unsafe("create table touched (by text)");
      const before = state === "busy" ? [client.unsafe("select pg_sleep(600)").execute()] : [];
      const lost = outcomesOf(before);

      const insert = "insert into touched values ('nobody')";
      const asked = Promise.withResolvers<unknown>();
      sockets[0]!.once("error", () => {
        const work = kind === "a query" ? client.unsafe(insert) : client.begin(async (tx) => tx.unsafe(insert));
        asked.resolve(work.then(() => "done"));
      });
      const outcome = asked.promise.catch((error: unknown) => error);
      await resetLate(sockets[0]!);

      expect(
        await outcomesOf([
          client.unsafe("select $1::text as mine", ["mine"]),
          client.unsafe("select count(*)::int as touched from touched"),
        ]),
      ).toEqual([[{ mine: "mine" }], [{ touched: 0 }]]);
      expect(await outcome).toMatchObject({ code: "CONNECTION_CLOSED" });
      expect(await lost).toEqual(before.map(() => "ECONNRESET"));
      await client.end({ timeout: 5 });
    },
  );
});

test("all statements of a lost transaction are rejected, including those not yet sent", async () => {
  await using clone = await cloneDatabase();
  const { client, sockets } = await openPool(clone.url);
  const statementOutcomes = Promise.withResolvers<unknown>();
  const run = client.begin(async (tx) => {
    // Before the driver sends the first statement, it asks Postgres for the type of the value 600. So the second statement is not sent yet.
    const statements = [tx.unsafe("select pg_sleep($1)", [600]), tx.unsafe("select 1")];
    statementOutcomes.resolve(outcomesOf(statements));
    await resetLate(sockets[0]!);
    await statementOutcomes.promise;
  });
  expect(await outcomesOf([run])).toEqual(["CONNECTION_CLOSED"]);
  expect(await statementOutcomes.promise).toEqual(["ECONNRESET", "CONNECTION_CLOSED"]);
  await client.end({ timeout: 5 });
});

test("a call rejects with the server's error code if the server refuses a connection", async () => {
  await using clone = await cloneDatabase();
  const { client, sockets } = await openPool(clone.url);
  const owner = postgres(new URL("/postgres", clone.url).href, { max: 1 });
  await client.unsafe("select 1");
  await owner.unsafe(`alter database "${clone.name}" with allow_connections false`);
  const lost = outcomesOf([client.unsafe("select pg_sleep(600)")]);
  await resetLate(sockets[0]!);
  expect(await lost).toEqual(["ECONNRESET"]);
  expect(await outcomesOf([client.unsafe("select 1")])).toEqual(["55000"]);
  await client.end({ timeout: 5 });
  await owner.end({ timeout: 5 });
});

test("if the server closes each connection, a call fails after a single connection", async () => {
  let taken = 0;
  const server = createServer((socket) => {
    taken++;
    socket.on("error", () => undefined).once("data", () => socket.end());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = postgres(`postgres://nobody:x@127.0.0.1:${(server.address() as AddressInfo).port}/none`, { max: 1 });
  for (const call of [1, 2]) {
    expect(await outcomesOf([client.unsafe("select 1")])).toEqual(["CONNECTION_CLOSED"]);
    expect(taken).toBe(call);
  }
  await client.end({ timeout: 5 });
  await new Promise((resolve) => server.close(resolve));
});

describe.each([
  ["its session is set", "application_name = 'resets'"],
  ["the types of arrays are asked for", "typcategory"],
])("a connection that is lost while %s", (_, statement) => {
  test.each([
    ["by a reset", reset, "ECONNRESET"],
    ["by its end", () => undefined, "CONNECTION_CLOSED"],
  ])("a connection lost during setup (%s) fails its call, and the next one works", async (_, loss, code) => {
    await using clone = await cloneDatabase();
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const { client, sockets } = await openPool(clone.url, (socket, data) => {
      if (sockets.length === 1 && data.includes(statement)) socket.destroy(loss());
    });
    expect(await outcomesOf([client.unsafe("select 1")])).toEqual([code]);
    expect(
      await outcomesOf([
        client.unsafe("select array[1, 2] as numbers, current_setting('application_name') as session"),
      ]),
    ).toEqual([[{ numbers: [1, 2], session: "resets" }]]);
    await client.end({ timeout: 5 });
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});

test("waitForDatabase waits while connections are reset, and resolves when they work", async () => {
  await using clone = await cloneDatabase();
  const upstream = new URL(clone.url);
  await using proxy = await createFaultProxy({ upstream: { host: upstream.hostname, port: Number(upstream.port) } });
  upstream.port = String(proxy.port);
  await proxy.set({ kind: "reset", direction: "to-client", afterBytes: 0 });
  const reasons: string[] = [];
  const wait = async (signal: AbortSignal) =>
    waitForDatabase({
      databaseUrl: upstream.href,
      timeoutMs: 60_000,
      signal,
      onWait: (reason) => reasons.push(reason),
    });
  const leaving = new AbortController();
  const left = wait(leaving.signal);
  const stays = wait(new AbortController().signal);
  await waitFor(() => reasons.length >= 2, { what: "both to report that they wait" });
  leaving.abort(new Error("stopped"));
  await expect(left).rejects.toThrow("stopped");
  await proxy.set({ kind: "none" });
  expect(await stays).toBe(null);
});
