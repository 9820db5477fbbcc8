import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { ReportNotServedError, StoreUnavailableError } from "@reports/core/base";
import { createTestDatabases } from "@reports/testing";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "../database/database.ts";
import { findSourcesSharingSessions } from "../database/shared-sessions.ts";
import { checkViewedType, refusingSourceEngine, viewedTypeRequest } from "./refusing-source.fixture.ts";
import { createReportPreviewReader } from "./report-preview-reader.ts";
import { createRowSourceReader } from "./report-source.ts";
import { createRowEstimator } from "./row-estimator.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });
const { signal } = viewedTypeRequest;

async function startServer(
  answer: (statement: string) => { code: string; severity?: string; text: string } | null,
  { letsIn = true } = {},
) {
  const sockets = new Set<Socket>();
  const message = (type: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(body.length + 4);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const ready = message("Z", Buffer.from("I"));
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let seen = Buffer.alloc(0);
    let isBegun = false;
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      seen = Buffer.concat([seen, bytes]);
      for (;;) {
        const head = isBegun ? 1 : 0;
        if (seen.length < head + 4 || seen.length < head + seen.readInt32BE(head)) return;
        const end = head + seen.readInt32BE(head);
        const [type, body] = [seen.toString("latin1", 0, head), seen.subarray(head + 4, end)];
        seen = seen.subarray(end);
        if (!isBegun) {
          isBegun = true;
          if (!letsIn) {
            const { code, text } = answer("")!;
            socket.end(message("E", Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)));
            return;
          }
          socket.write(Buffer.concat([message("R", Buffer.alloc(4)), ready]));
        } else if (type === "Q" || type === "P") {
          const statement = body.toString("utf8").replaceAll("\0", " ").trim();
          const refusal = answer(statement);
          const { code, text, severity = "ERROR" } = refusal ?? { code: "", text: "" };
          const fields = `S${severity}\0V${severity}\0C${code}\0M${text}\0\0`;
          socket.write(refusal === null ? message("C", Buffer.from("SET\0")) : message("E", Buffer.from(fields)));
          if (type === "Q") socket.write(ready);
          if (severity === "FATAL") socket.end();
        } else if (type === "S") socket.write(ready);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `postgres://reader:secret-of-reader@127.0.0.1:${port}/other`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

test.each([
  ["42704", 'unrecognized configuration parameter "DateStyle"'],
  ["0A000", "SET is not supported"],
  ["00000", "unexpected token [SET]"],
  ["XX000", "Catalog Error: unrecognized configuration parameter"],
  ["08P01", "unsupported statement"],
  ["25006", "the server takes no SET in a read-only session"],
])("a server that refuses every setting with %s makes its types unusable", async (code, text) => {
  await using server = await startServer(() => ({ code, text }));
  expect(await checkViewedType({ url: server.url, engine: refusingSourceEngine })).toEqual({
    problem: {
      code: "SOURCE_REFUSED",
      message: `The database refuses to serve this source. It refuses the setting DateStyle: ${text} (${code}).`,
    },
    isUnknown: false,
  });
  const opening = createRowSourceReader({ url: server.url }).open(viewedTypeRequest);
  await expect(opening).rejects.toThrow(ReportNotServedError);
  await expect(opening).rejects.toMatchObject({ because: "TYPE_UNUSABLE", message: expect.stringContaining(text) });
});

test.each(["53300", "57P01", "57P03", "40001", "08006", "55000", "55006", "58000", "58030", "58P01", "58P02"])(
  "a server that fails with %s is unavailable and makes no type unusable",
  async (code) => {
    await using server = await startServer(() => ({ code, text: "not now", severity: "FATAL" }));
    expect(await checkViewedType({ url: server.url, engine: refusingSourceEngine })).toEqual({
      problem: null,
      isUnknown: true,
    });
    await expect(createRowSourceReader({ url: server.url }).open(viewedTypeRequest)).rejects.toThrow(
      StoreUnavailableError,
    );
  },
);

test.each(["08P01", "XX000"])(
  "a pooler that ends connections with %s makes types unknown, not unusable",
  async (code) => {
    const text = "server login has been failing, cached error";
    await using server = await startServer(() => ({ code, text, severity: "FATAL" }));
    expect(await checkViewedType({ url: server.url, engine: refusingSourceEngine })).toEqual({
      problem: null,
      isUnknown: true,
    });
  },
);

test("a problem quotes at most 500 printable characters of a server, no password", async () => {
  const text = `no\u0007 secret-of-reader ${"x".repeat(10_000)}`;
  await using server = await startServer(() => ({ code: "28000", text, severity: "FATAL" }));
  const { problem } = await checkViewedType({ url: server.url, engine: refusingSourceEngine });
  expect(problem!.message.length).toBeLessThanOrEqual(500);
  expect(problem!.message).toContain("no\ufffd");
  expect(problem!.message).not.toContain("secret-of-reader");
});

test("a source works if its server refuses only time limits and performance settings", async () => {
  const statements: string[] = [];
  await using server = await startServer((statement) => {
    statements.push(statement);
    return /^set (\S*(timeout|interval|exit_on_error)\S*|jit) /.test(statement)
      ? { code: "42704", text: "unknown", severity: "FEHLER" }
      : null;
  });
  const { problem } = await checkViewedType({ url: server.url, engine: refusingSourceEngine });
  expect(problem?.code).not.toBe("SOURCE_REFUSED");
  expect(statements).toContain("set DateStyle = 'ISO, MDY'");
  expect(statements.filter((statement) => statement.startsWith("set ")).every((one) => !one.includes(";"))).toBe(true);
  expect(statements.some((statement) => statement.includes("pg_class"))).toBe(true);
});

test("sessions set newer time limits only if the server's Postgres version has them", async () => {
  const statements: string[] = [];
  await using server = await startServer((statement) => {
    statements.push(statement);
    return null;
  });
  await checkViewedType({ url: server.url, engine: refusingSourceEngine });
  for (const name of ["transaction_timeout", "idle_session_timeout"])
    expect(statements.filter((statement) => statement.includes(`${name}'`) || statement.includes(`${name} =`))).toEqual(
      [expect.stringContaining(`where current_setting('${name}', true) is not null`)],
    );
});

test("findSourcesSharingSessions reports a source that answers with an error, and resolves", async () => {
  await using server = await startServer(() => ({ code: "0A000", text: "unknown function" }));
  const seen: string[] = [];
  const options = {
    signal,
    onUnreachable: (name: string, error: Error) => void seen.push(`${name}: ${error.message}`),
  };
  expect(await findSourcesSharingSessions({ other: { url: server.url } }, options)).toEqual([]);
  expect(seen).toEqual([expect.stringContaining("unknown function (0A000)")]);
});

describe("a source on a running Postgres", () => {
  let clone: Awaited<ReturnType<typeof cloneDatabase>>;
  let client: Sql;
  let database: Database;
  beforeAll(async () => {
    clone = await cloneDatabase();
    client = postgres(clone.url, { max: 1, onnotice: () => undefined });
    await client.unsafe("create view items as select 1 as id, 'Ada' as name");
    database = createDatabase({ url: clone.url, max: 1 });
  });
  afterAll(async () => {
    await database.close();
    await client.end();
    await clone[Symbol.asyncDispose]();
  });
  const missing = (): string => new URL("/no_such_database", clone.url).href;

  test("a source with a missing database makes its types unusable and names the database", async () => {
    expect(await checkViewedType({ url: missing(), engine: refusingSourceEngine })).toMatchObject({
      problem: {
        code: "SOURCE_REFUSED",
        message: expect.stringContaining('database "no_such_database" does not exist'),
      },
      isUnknown: false,
    });
    await expect(createRowSourceReader({ url: missing() }).open(viewedTypeRequest)).rejects.toMatchObject({
      because: "TYPE_UNUSABLE",
    });
  });

  test("a refusing host is skipped; if the other hosts are down, the type is unknown", async () => {
    const { username, password, host, pathname } = new URL(clone.url);
    await using server = await startServer(() => ({ code: "28000", text: "no entry", severity: "FATAL" }));
    const refusing = new URL(server.url).host;
    const urlOf = (hosts: string): string => `postgres://${username}:${password}@${hosts}${pathname}`;
    expect(await checkViewedType({ url: urlOf(`${refusing},${host}`), engine: refusingSourceEngine })).toEqual({
      problem: null,
      isUnknown: false,
    });
    expect(await checkViewedType({ url: urlOf(`127.0.0.1:1,${refusing}`), engine: refusingSourceEngine })).toEqual({
      problem: null,
      isUnknown: true,
    });
    expect(await checkViewedType({ url: urlOf(`${refusing},127.0.0.1:1`), engine: refusingSourceEngine })).toEqual({
      problem: null,
      isUnknown: true,
    });
  });

  test("a preview reads from the next host if a host refuses the connection", async () => {
    const { username, password, host, pathname } = new URL(clone.url);
    await using server = await startServer(() => ({ code: "28P01", text: "no entry" }), { letsIn: false });
    const url = `postgres://${username}:${password}@${new URL(server.url).host},${host}${pathname}`;
    const sizes = createRowEstimator(database, new Map());
    const previews = createReportPreviewReader(
      { main: { url, engine: refusingSourceEngine } },
      { connections: 1, deadlineMs: 20_000 },
      sizes,
    );
    expect(await previews.readRows({ ...viewedTypeRequest, limit: 1 }, signal)).toEqual([["Ada"]]);
    await previews.close();
  });

  test("a preview rejects with the server's reason if its only host refuses the login", async () => {
    await using server = await startServer(() => ({ code: "28P01", text: "no entry" }), { letsIn: false });
    const sizes = createRowEstimator(database, new Map());
    const previews = createReportPreviewReader(
      { main: { url: server.url, engine: refusingSourceEngine } },
      { connections: 1, deadlineMs: 20_000 },
      sizes,
    );
    await expect(previews.readRows({ ...viewedTypeRequest, limit: 1 }, signal)).rejects.toThrow(
      "It refuses the connection: no entry (28P01)",
    );
    await previews.close();
  });

  test("a preview rejects with TYPE_UNUSABLE if its server refuses the session", async () => {
    await using server = await startServer(() => ({ code: "00000", text: "unexpected token [SET]" }));
    const sizes = createRowEstimator(database, new Map());
    for (const url of [missing(), server.url]) {
      const previews = createReportPreviewReader(
        { main: { url, engine: refusingSourceEngine } },
        { connections: 1, deadlineMs: 20_000 },
        sizes,
      );
      await expect(previews.readRows({ ...viewedTypeRequest, limit: 1 }, signal)).rejects.toMatchObject({
        because: "TYPE_UNUSABLE",
      });
      await previews.close();
    }
  });
});
