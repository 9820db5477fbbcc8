import { execFile } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { StoreUnavailableError } from "@reports/core";
import { createFaultProxy, createTestDatabases } from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { hasSharedSessions } from "../database/shared-sessions.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });

const [seed, rounds] = [1, 150];

test("connections that are lost at any moment fail their calls at once, and end no process", async () => {
  await using clone = await cloneDatabase();
  const fixture = fileURLToPath(new URL("connection-resets.fixture.ts", import.meta.url));
  // A process of its own, because what nobody catches is to end it: then this rejects with what it wrote.
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--conditions=@reports/source",
    fixture,
    clone.url,
    String(seed),
    String(rounds),
  ]);
  const outcomes: unknown = JSON.parse(stdout.trim().split("\n").at(-1)!);
  expect(outcomes).toMatchObject({ late: 0, other: [] });
  // Resets have met calls, and calls have come through.
  expect(outcomes).not.toMatchObject({ unavailable: 0 });
  expect(outcomes).not.toMatchObject({ done: 0 });
}, 120_000);

test.each(["a query", "a transaction"] as const)(
  "%s that is asked for between a connection's error and its close is refused, and disturbs nobody on the next one",
  async (kind) => {
    await using clone = await cloneDatabase();
    const { hostname, port } = new URL(clone.url);
    const sockets: Socket[] = [];
    const open = async (): Promise<Socket> => {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      sockets.push(socket);
      return socket;
    };
    // The driver takes sockets, of which its types say nothing.
    const options = { max: 1, onnotice: () => undefined, socket: open };
    const client = postgres(clone.url, options);
    await client.unsafe("create table touched (by text)");

    const closed = new Promise<void>((resolve) => void sockets[0]!.once("close", () => resolve()));
    const insert = "insert into touched values ('nobody')";
    const asked = Promise.withResolvers<unknown>();
    sockets[0]!.once("error", () => {
      const work = kind === "a query" ? client.unsafe(insert) : client.begin(async (tx) => tx.unsafe(insert));
      asked.resolve(work.then(() => "done"));
    });
    sockets[0]!.destroy(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
    const outcome = asked.promise.catch((error: unknown) => error);
    await closed;

    const answers = await Promise.allSettled([
      client.unsafe("select $1::text as mine", ["mine"]),
      client.unsafe("select count(*)::int as touched from touched"),
    ]);
    expect(
      answers.map((answer) => (answer.status === "fulfilled" ? [...answer.value] : String(answer.reason))),
    ).toEqual([[{ mine: "mine" }], [{ touched: 0 }]]);
    expect(await outcome).toMatchObject({ code: "CONNECTION_CLOSED" });
    await client.end({ timeout: 5 });
  },
);

test("a process that starts while connections are reset goes on once they are not", async () => {
  await using clone = await cloneDatabase();
  const upstream = new URL(clone.url);
  await using proxy = await createFaultProxy({ upstream: { host: upstream.hostname, port: Number(upstream.port) } });
  upstream.port = String(proxy.port);
  await proxy.set({ kind: "reset", direction: "to-client", afterBytes: 0 });
  await expect(hasSharedSessions(upstream.href, { timeoutMs: 0 })).rejects.toThrow(StoreUnavailableError);
  const leaving = new AbortController();
  // Until a next try that never comes, unless the pause before it can be ended.
  const left = hasSharedSessions(upstream.href, {
    timeoutMs: 60_000,
    signal: leaving.signal,
    pauseMs: 600_000,
  });
  leaving.abort(new Error("stopped"));
  await expect(left).rejects.toThrow("stopped");
  const look = hasSharedSessions(upstream.href, { timeoutMs: 60_000 });
  await proxy.set({ kind: "none" });
  await expect(look).resolves.toBe(false);
});
