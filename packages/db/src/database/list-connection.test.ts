import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { createTestDatabases } from "@reports/testing";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { expect, test } from "vitest";
import { createListConnection } from "./list-connection.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";

const { cloneDatabase } = createTestDatabases({ migrate: (databaseUrl) => migrateDatabase({ databaseUrl }) });

const psk = Buffer.from("list-connection.test.ts");
const clientTls = {
  ciphers: "PSK",
  pskCallback: () => ({ psk, identity: "test" }),
  checkServerIdentity: () => undefined,
};
const serverTls = { isServer: true, ciphers: "PSK", pskCallback: () => psk };

type Join = (client: Socket, server: Socket) => void;

const joinSecurely: Join = (client, server) => {
  client.once("data", () => {
    client.write("S");
    const secure = new TLSSocket(client, serverTls);
    secure.on("error", () => undefined);
    secure.pipe(server).pipe(secure);
  });
};

/** A CancelRequest is 16 bytes with this code. It is the only message of the separate connection that a driver opens to cancel a statement. */
const isCancel = (data: Buffer): boolean => data.length === 16 && data.readUInt32BE(4) === 80_877_102;

const resetCancels: Join = (client, server) => {
  server.pipe(client);
  client.on("data", (data) => void (isCancel(data) ? client.resetAndDestroy() : server.write(data)));
};

function holdUntilCancelled(): Join & { readonly held: Promise<void> } {
  const held = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const join: Join = (client, server) => {
    server.pipe(client);
    client.on("data", (data) => {
      if (isCancel(data)) server.once("close", () => cancelled.resolve());
      if (data[0] !== "B".charCodeAt(0)) return void server.write(data);
      held.resolve();
      void cancelled.promise.then(() => server.write(data));
    });
  };
  return Object.assign(join, { held: held.promise });
}

async function open(join: Join, options: { readonly ssl?: object } = {}) {
  const clone = await cloneDatabase();
  const { hostname, port } = new URL(clone.url);
  const sockets: Socket[] = [];
  const way = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) sockets.push(socket.on("error", () => undefined));
    join(client, server);
  });
  await once(way.listen(0, "127.0.0.1"), "listening");
  const url = new URL(clone.url);
  url.port = String((way.address() as AddressInfo).port);
  const connection = createListConnection(() => postgres(url.href, { max: 1, ...options }), 60_000);
  const readPid = async () =>
    connection.run(
      async (queries) => (await queries.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]!.pid,
      new AbortController().signal,
    );
  return {
    readPid,
    async leave(until: Promise<unknown>): Promise<unknown> {
      const caller = new AbortController();
      const sent = Promise.withResolvers<void>();
      const work = connection.run(async (queries) => {
        const statement = queries.execute(sql`select pg_sleep(${600}::integer)`);
        void Promise.resolve().then(sent.resolve);
        return statement;
      }, caller.signal);
      const outcome = work.catch((error: unknown) => error);
      await Promise.all([sent.promise, until]);
      caller.abort(new Error("left"));
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      await connection.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => way.close(resolve));
      await clone[Symbol.asyncDispose]();
    },
  };
}

const canceled = { cause: { code: "57014" } };

test("over TLS, a list's statement ends when its caller leaves; its connection stays", async () => {
  await using opened = await open(joinSecurely, { ssl: clientTls });
  const pid = await opened.readPid();
  expect(await opened.leave(Promise.resolve())).toMatchObject(canceled);
  expect(await opened.readPid()).toBe(pid);
});

test("a cancel that Postgres ignored between two messages of a statement is repeated", async () => {
  const join = holdUntilCancelled();
  await using opened = await open(join);
  const pid = await opened.readPid();
  expect(await opened.leave(join.held)).toMatchObject(canceled);
  expect(await opened.readPid()).toBe(pid);
});

test("a list connection is replaced if a late cancel could hit its next statement", async () => {
  await using opened = await open(resetCancels);
  const pid = await opened.readPid();
  expect(await opened.leave(Promise.resolve())).toMatchObject({ cause: { code: "CONNECTION_DESTROYED" } });
  expect(await opened.readPid()).not.toBe(pid);
});
