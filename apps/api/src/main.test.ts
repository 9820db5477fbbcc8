import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  createFaultProxy,
  findFreePort,
  hasPgbouncer,
  installReportTypePackages,
  isFullTestRun,
  startPgbouncer,
  waitFor,
} from "@reports/testing";
import postgres from "postgres";
import { expect, test, vi } from "vitest";
import { setUpApiProcesses, startApiProcess } from "./test/api-process.ts";

vi.setConfig({ testTimeout: 120_000 });

// Every run has the next test, in which a process exits with code 78, and config.test.ts, in which one error lists all invalid variables.
test.runIf(isFullTestRun)(
  "an API with an invalid configuration lists all problems and exits with code 78",
  async () => {
    const { ended, log } = startApiProcess({
      PORT: "http",
      TRUSTED_PROXY_HOPS: "many",
      REPORT_TYPES_ENV_PREFIX: "AUTH_",
      BUILT_IN_REPORT_TYPES: "false",
    });
    expect(await ended).toBe(78);
    for (const name of ["PORT", "TRUSTED_PROXY_HOPS", "DATABASE_URL", "STORAGE_DIR"]) expect(log()).toContain(name);
    expect(log()).toContain("- REPORT_TYPES: must be set too, because BUILT_IN_REPORT_TYPES is false");
    expect(log()).toMatch(/- REPORT_TYPES_ENV_PREFIX: must not be the beginning of a secret's name: AUTH_JWT_SECRET/);
    expect(log()).not.toMatch(/^\s+at /m);
  },
);

test("an API with unusable report types lists all problems and exits with code 78", async () => {
  await using packages = await installReportTypePackages({
    throws: `throw new Error("no licence");`,
    exits: `process.exit(0);`,
    ...Object.fromEntries(
      ["SHIFT_1", "SHIFT1"].map((type) => [
        type.toLowerCase(),
        `import { defineReportTypes } from "@reports/core/report-type";
        const columns = [{ key: "name", title: "Name", kind: "text" }];
        const definition = { type: "${type}", version: 1, title: "Shift", columns, rows: { kind: "objects", rows: () => [] } };
        export default defineReportTypes([{ definition, authority: "REPORT_SHIFT" }]);`,
      ]),
    ),
  });
  const { ended, log } = startApiProcess({
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing",
    STORAGE_DIR: "/unused",
    REPORT_TYPES: "throws, exits,missing,shift_1,shift1,./reports.js,node:fs",
    REPORT_TYPES_DIR: packages.directory,
  });
  expect(await ended).toBe(78);
  expect(log()).not.toMatch(/^\s+at /m);
  expect(log()).toContain("The configuration has 6 problems:");
  for (const problem of [
    "throws: it cannot be imported: Error: no licence",
    "exits: it ended the process that imported it (exit code 0).",
    "missing: it cannot be imported: Error: Cannot find package",
    "shift1: SHIFT1 and SHIFT_1 of shift_1 have the same name in OpenAPI, Shift1.",
    "./reports.js: this is not the name of an installed package",
    "node:fs: this is not the name of an installed package",
  ])
    expect(log()).toContain(`- REPORT_TYPES: ${problem}`);
});

test.concurrent("an API that waits for the database is alive, not ready, and stops on SIGTERM", async () => {
  await using apis = await setUpApiProcesses();
  const [port, apart, probePort, unusedPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const url = new URL(apis.databaseUrl);
  const upstream = { host: url.hostname, port: Number(url.port) };
  url.port = String(unusedPort);
  const one = apis.start({
    DATABASE_URL: url.href,
    PORT: String(port),
    // If SIGTERM did not interrupt the start, the process would wait for 300 s, and the test would fail before that.
    SHUTDOWN_GRACE_SECONDS: "300",
  });
  const two = apis.start({ DATABASE_URL: url.href, PORT: String(apart), PROBE_PORT: String(probePort) });
  const ask = async (at: number, path: string) => fetch(`http://127.0.0.1:${at}${path}`).catch(() => null);
  for (const at of [port, probePort]) {
    await waitFor(async () => (await ask(at, "/health/live"))?.status === 200, {
      what: "the process to live",
      timeoutMs: 60_000,
    });
    const ready = await ask(at, "/health/ready");
    expect(ready?.status ?? one.log() + two.log()).toBe(503);
  }
  expect(await (await ask(port, "/v1/reports"))?.json()).toMatchObject({ status: 503, code: "not-ready" });
  expect(await ask(apart, "/health/live")).toBe(null);
  for (const { waitForLog } of [one, two]) await waitForLog('"msg":"waiting for the database"');
  await one.waitForLog(`"reason":"connect ECONNREFUSED 127.0.0.1:${unusedPort}"`);
  expect(await one.stop()).toBe(0);
  expect(one.log()).toContain('"msg":"stopped"');
  await using proxy = await createFaultProxy({ upstream, port: unusedPort });
  expect(proxy.port).toBe(unusedPort);
  await waitFor(async () => (await ask(apart, "/v1/reports"))?.status === 401, {
    what: "being served",
    timeoutMs: 60_000,
  });
  expect(await two.stop()).toBe(0);
});

// Every run has connections.test.ts of @reports/runtime, migrate-database.test.ts of @reports/db and run-api.test.ts.
test.concurrent(
  "an API exits with code 78 at its start on a database error that no retry can fix",
  { skip: !isFullTestRun },
  async () => {
    await using apis = await setUpApiProcesses();
    const missing = Object.assign(new URL(apis.databaseUrl), { pathname: "/hunter2" }).href;
    const wrongs = [
      [missing, "- DATABASE_URL: is refused: database"],
      [`${missing}?sslmode=prefer`, "- DATABASE_URL: has an sslmode that is none of"],
    ] as const;
    await Promise.all(
      wrongs.map(async ([url, expected]) => {
        const { ended, log } = apis.start({ DATABASE_URL: url });
        expect(await ended).toBe(78);
        expect(log()).toContain(expected);
        expect(log()).not.toMatch(/^\s+at /m);
      }),
    );
  },
);

// Every run has current-password.test.ts of @reports/db and connections.test.ts of @reports/runtime.
test.concurrent(
  "an API whose database password is refused waits until it is replaced",
  { skip: !isFullTestRun },
  async () => {
    await using apis = await setUpApiProcesses();
    const owner = postgres(apis.databaseUrl, { max: 1 });
    const role = `rotated_${apis.databaseName}`;
    await owner.unsafe(`create role ${role} superuser login password 'first'`);
    const file = join(apis.folder, "database-url");
    const writePassword = async (password: string) =>
      writeFile(file, Object.assign(new URL(apis.databaseUrl), { username: role, password }).href);
    await writePassword("hunter2");
    const port = await findFreePort();
    const api = apis.start({ DATABASE_URL: "", DATABASE_URL_FILE: file, PORT: String(port) });
    await api.waitForLog("password authentication failed for user");
    const untilReady = async (status: number) =>
      waitFor(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null))?.status === status, {
        what: `readiness ${status}`,
        timeoutMs: 60_000,
      });
    await writePassword("first");
    await untilReady(200);

    await owner.unsafe(`alter role ${role} password 'second'`);
    await owner`select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = ${role}`;
    await untilReady(503);
    const login = await fetch(`http://127.0.0.1:${port}/v1/tokens`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa("somebody:secret-of-somebody")}` },
    });
    expect([login.status, login.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
    await writePassword("second");
    await untilReady(200);
    expect(await api.stop()).toBe(0);
    expect(api.log()).not.toMatch(/hunter2|:first@|:second@/);
    await owner.unsafe(`drop role ${role}`);
    await owner.end();
  },
);

test.concurrent(
  "an API behind a connection pooler in transaction mode exits with code 78",
  { skip: !hasPgbouncer() },
  async () => {
    await using apis = await setUpApiProcesses();
    await using pooler = await startPgbouncer({
      databaseUrl: apis.databaseUrl,
      settings: { pool_mode: "transaction" },
    });
    const environments = [
      { DATABASE_URL: pooler.url },
      { REPORT_SOURCE_BILLING_URL: pooler.url, REPORT_SOURCES: "billing" },
    ].slice(0, isFullTestRun ? 2 : 1);
    await Promise.all(
      environments.map(async (environment) => {
        const { ended, waitForLog, log } = apis.start(environment);
        await waitForLog(`- ${Object.keys(environment)[0]}: leads to a connection pooler in transaction`);
        expect(await ended).toBe(78);
        expect(log()).not.toMatch(/^\s+at /m);
      }),
    );
  },
);
