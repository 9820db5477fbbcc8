import { X509Certificate } from "node:crypto";
import { chown, copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import {
  createTestCertificateAuthority,
  hasOpenssl,
  isFullTestRun,
  findPostgresOsUser,
  startPostgres,
  waitFor,
  type PostgresServer,
  type TestCertificateAuthority,
  throwAwayPostgresSettings,
} from "@reports/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMigrationState } from "../migrations/database-version.ts";
import { migrateDatabase } from "../migrations/migrate-database.ts";
import { waitForDatabase } from "../migrations/wait-for-database.ts";
import { createQueuePool } from "../queue/queue-pool.ts";
import { createDatabase } from "./database.ts";
import { connectPgClient } from "./pg-connection.ts";
import { findPostgresUrlProblems, separateTlsOptions, listPostgresDestinations } from "./url-and-tls-options.ts";
import { connectionRefusalMessage } from "./store-error.ts";

const problemOf = (parameters: string): string | null =>
  findPostgresUrlProblems({ DATABASE_URL: `postgres://u:p@db.internal/reports?${parameters}` })[0]?.message ?? null;

test.each([
  [
    "sslmode=prefer",
    /none of disable, require, verify-ca, verify-full; with prefer, anyone between client and server can/,
  ],
  ["sslmode=allow", /none of disable/],
  ["sslmode=no-verify", /none of disable/],
  ["sslmode=", /none of disable/],
  ["sslmode=verify-full&sslmode=disable", /has sslmode twice/],
  ["ssl=true", /has the parameter ssl, which is not supported/],
  ["SSLMODE=require", /has the parameter SSLMODE/],
  ["sslmode=require&sslcrl=/x", /has the parameter sslcrl/],
  ["sslmode=require&sslnegotiation=direct", /has the parameter sslnegotiation/],
  ["sslmode=require&uselibpqcompat=true", /has the parameter uselibpqcompat/],
  ["sslmode=verify-full&host=elsewhere", /has the parameter host/],
  ["sslrootcert=/ca.crt", /has sslrootcert without an sslmode of require, verify-ca, verify-full/],
  ["sslmode=disable&sslcert=/c&sslkey=/k", /has sslcert and sslkey without an sslmode/],
  ["sslmode=verify-ca", /must have sslrootcert/],
  ["sslmode=require&sslrootcert=system", /must have sslmode=verify-full if sslrootcert=system is set/],
  ["sslmode=verify-ca&sslrootcert=system", /must have sslmode=verify-full/],
  ["sslmode=require&sslcert=/c", /must have sslcert and sslkey, or neither/],
  ["sslmode=verify-full&sslrootcert=/not/there", /sslrootcert that cannot be read \(\/not\/there: ENOENT\)/],
  ["sslmode=verify-full&sslrootcert=/dev/null", /sslrootcert that holds no certificates/],
])("the parameters %s of a database URL are refused with a reason", (parameters, expected) => {
  expect(problemOf(parameters)).toMatch(expected);
});

test.each([
  "",
  "application_name=x",
  "sslmode=disable",
  "sslmode=require",
  "sslmode=verify-full",
  "sslmode=verify-full&sslrootcert=system",
])("the parameters %j of a database URL are accepted", (parameters) => {
  expect(problemOf(parameters)).toBe(null);
});

test("separateTlsOptions removes only the TLS parameters from the drivers' URL", () => {
  const { url, ssl } = separateTlsOptions("postgres://u:p%40@db:5433/reports?a=1&sslmode=require&options=-c%20b%3D2");
  expect(url).toBe("postgres://u:p%40@db:5433/reports?a=1&options=-c%20b%3D2");
  expect(ssl).toMatchObject({ rejectUnauthorized: false });
});

test("readTransports reports for each host of a URL whether its traffic is encrypted", () => {
  const urls = {
    REPORT_SOURCE_A_URL: "postgres://u@a:1,[2001:db8::1]:2/d?sslmode=verify-full",
    DATABASE_URL: "postgres://u@10.1.2.3/d",
    REPORT_DATABASE_URL: "postgres://u@%2Frun%2Fpostgresql/d?sslmode=require",
  };
  expect(listPostgresDestinations(urls)).toEqual([
    { variable: "REPORT_SOURCE_A_URL", host: "a", isEncrypted: true },
    { variable: "REPORT_SOURCE_A_URL", host: "2001:db8::1", isEncrypted: true },
    { variable: "DATABASE_URL", host: "10.1.2.3", isEncrypted: false },
    { variable: "REPORT_DATABASE_URL", host: "/run/postgresql", isEncrypted: false },
  ]);
});

const ways: readonly (readonly [string, (url: string) => Promise<void>])[] = [
  [
    "records",
    async (url) => {
      const database = createDatabase({ url, max: 1 });
      try {
        await database.query((queries) => queries.execute(sql`select 1`));
      } finally {
        await database.close();
      }
    },
  ],
  [
    "rows",
    async (url) =>
      (
        await connectPgClient({ url, database: "service", connectTimeoutMs: 5_000, applicationName: "tls" }, null)
      ).end(),
  ],
  [
    "the queue",
    async (url) => {
      const pool = createQueuePool({ url, max: 1, onLost: () => undefined });
      try {
        await pool.query("select 1");
      } finally {
        await pool.end();
      }
    },
  ],
];

async function outcomesOf(url: string): Promise<readonly (string | null)[]> {
  return Promise.all(
    ways.map(async ([, come]) =>
      come(url).then(
        () => null,
        (error: unknown) => connectionRefusalMessage(error) ?? `no refusal: ${String(error)}`,
      ),
    ),
  );
}

describe.skipIf(!hasOpenssl())("a Postgres with a certificate of an internal authority", () => {
  let authority: TestCertificateAuthority;
  let stranger: TestCertificateAuthority;
  let server: PostgresServer;
  const shown = { certificate: "", key: "" };

  async function show(name: string, hosts: readonly string[], days?: number): Promise<void> {
    const issued = await authority.issue(name, days === undefined ? { hosts } : { hosts, days });
    await give(issued.certificate, shown.certificate);
    await give(issued.key, shown.key);
    const wanted = new X509Certificate(await readFile(issued.certificate)).fingerprint256;
    const connection = {
      url: urlOf("127.0.0.1", "sslmode=require"),
      database: "service",
      connectTimeoutMs: 5_000,
      applicationName: "tls",
    } as const;
    await waitFor(
      async () => {
        const client = await connectPgClient(connection, null);
        await client.query("select pg_reload_conf()");
        const found = (client.connection.stream as TLSSocket).getPeerCertificate().fingerprint256;
        await client.end();
        return found === wanted;
      },
      { what: `the server to show the certificate of ${name}` },
    );
  }

  function urlOf(host: string, parameters: string): string {
    const url = new URL(server.url);
    url.hostname = host;
    url.search = parameters;
    return url.href;
  }

  const verified = (mode: string, root: TestCertificateAuthority) =>
    `sslmode=${mode}&sslrootcert=${encodeURIComponent(root.certificate)}`;
  const allCome = ways.map(() => null);
  const allRefused = (reason: RegExp) => ways.map(() => expect.stringMatching(reason) as string);

  beforeAll(async () => {
    [authority, stranger] = await Promise.all([createTestCertificateAuthority(), createTestCertificateAuthority()]);
    const first = await authority.issue("first", { hosts: ["IP:127.0.0.1"] });
    for (const kind of ["certificate", "key"] as const) {
      shown[kind] = join(authority.folder, `shown.${kind}`);
      await give(first[kind], shown[kind]);
    }
    const trusted = join(authority.folder, "trusted.crt");
    await give(authority.certificate, trusted);
    server = await startPostgres({
      settings: {
        ...throwAwayPostgresSettings,
        listen_addresses: "localhost",
        ssl: "on",
        ssl_cert_file: shown.certificate,
        ssl_key_file: shown.key,
        ssl_ca_file: trusted,
      },
    });
  });

  afterAll(async () => {
    await server?.stop();
    for (const made of [authority, stranger]) await made?.[Symbol.asyncDispose]();
  });

  test("with verify-full, a certificate for an IP address is valid only for that address", async () => {
    await show("address", ["IP:127.0.0.1"]);
    for (const parameters of [
      "sslmode=disable",
      "sslmode=require",
      verified("require", authority),
      verified("verify-ca", authority),
      verified("verify-full", authority),
    ])
      expect([parameters, await outcomesOf(urlOf("127.0.0.1", parameters))]).toEqual([parameters, allCome]);
    expect(await outcomesOf(urlOf("localhost", verified("verify-ca", authority)))).toEqual(allCome);
    expect(await outcomesOf(urlOf("localhost", verified("verify-full", authority)))).toEqual(
      allRefused(/does not match certificate's altnames/),
    );
  });

  test("with verify-full, a certificate for a host name is valid only for that name", async () => {
    await show("name", ["DNS:localhost"]);
    expect(await outcomesOf(urlOf("localhost", verified("verify-full", authority)))).toEqual(allCome);
    expect(await outcomesOf(urlOf("127.0.0.1", verified("verify-full", authority)))).toEqual(
      allRefused(/does not match certificate's altnames|not in the cert's list/),
    );
  });

  test("a certificate of an authority that sslrootcert does not contain is refused", async () => {
    for (const parameters of [
      verified("require", stranger),
      verified("verify-ca", stranger),
      verified("verify-full", stranger),
      "sslmode=verify-full",
      "sslmode=verify-full&sslrootcert=system",
    ])
      expect([parameters, await outcomesOf(urlOf("127.0.0.1", parameters))]).toEqual([
        parameters,
        allRefused(/unable to (verify|get)|self.signed/),
      ]);
  });

  test("an expired certificate is refused by every sslmode that verifies certificates", async () => {
    await show("expired", ["DNS:localhost", "IP:127.0.0.1"], -1);
    for (const mode of ["verify-ca", "verify-full"])
      expect(await outcomesOf(urlOf("127.0.0.1", verified(mode, authority)))).toEqual(
        allRefused(/certificate has expired/),
      );
    expect(await outcomesOf(urlOf("127.0.0.1", "sslmode=require"))).toEqual(allCome);
  });

  test("with a wrong certificate, waitForDatabase ends and migrate changes nothing", async () => {
    await show("migrated", ["IP:127.0.0.1"]);
    const endless = { timeoutMs: 600_000, signal: new AbortController().signal, onWait: () => undefined };
    const wrong = urlOf("127.0.0.1", verified("verify-full", stranger));
    await expect(migrateDatabase({ databaseUrl: wrong })).rejects.toThrow();
    const plain = urlOf("127.0.0.1", "");
    expect(await readMigrationState({ databaseUrl: plain })).toMatchObject({ actual: null });
    expect(await waitForDatabase({ databaseUrl: wrong, ...endless })).toMatch(/^is refused: /);
    const right = urlOf("127.0.0.1", verified("verify-full", authority));
    // Outside of CI, nothing migrates the database, so the wait ends with the state that it has read.
    if (isFullTestRun) await migrateDatabase({ databaseUrl: right });
    const waiting = waitForDatabase({ databaseUrl: right, ...endless, ...(isFullTestRun ? {} : { timeoutMs: 0 }) });
    expect(String(await waiting.catch(String))).toMatch(isFullTestRun ? /^null$/ : /pnpm operate migrate/);
    const encrypted = createDatabase({ url: right, max: 1 });
    const rows = await encrypted.query(async (queries) =>
      queries.execute(sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`),
    );
    await encrypted.close();
    expect([...rows]).toEqual([{ ssl: true }]);
  });

  test("both drivers send a client certificate if the server requires one", async () => {
    await writeFile(join(server.dataDir, "pg_hba.conf"), "hostssl all all all scram-sha-256 clientcert=verify-ca\n");
    const client = await authority.issue("client", { hosts: [] });
    const shows = `sslmode=require&sslcert=${encodeURIComponent(client.certificate)}&sslkey=${encodeURIComponent(client.key)}`;
    const reload = await connectPgClient(
      { url: urlOf("127.0.0.1", shows), database: "service", connectTimeoutMs: 5_000, applicationName: "tls" },
      null,
    );
    await reload.query("select pg_reload_conf()");
    await reload.end();
    await waitFor(async () => (await outcomesOf(urlOf("127.0.0.1", ""))).every((outcome) => outcome !== null), {
      what: "the server to require certificates",
    });
    expect(await outcomesOf(urlOf("127.0.0.1", "sslmode=require"))).toEqual(allRefused(/certificate/));
    expect(await outcomesOf(urlOf("127.0.0.1", "sslmode=disable"))).toEqual(allRefused(/no encryption/));
    expect(await outcomesOf(urlOf("127.0.0.1", shows))).toEqual(allCome);
  });
});

async function give(from: string, to: string): Promise<void> {
  const user = findPostgresOsUser();
  await copyFile(from, to);
  if (user !== null) await chown(to, user.uid, user.gid);
}
