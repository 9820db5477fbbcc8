import { spawn } from "node:child_process";
import { once } from "node:events";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtInReportTypes, startInputFromBody, startReport, unguardedStarts } from "@reports/core";
import {
  createDatabase,
  createReportStore,
  createRoles,
  createStoreMarkerRecord,
  databaseRoles,
  migrateDatabase,
} from "@reports/db";
import { newId } from "@reports/runtime";
import { adoptEmptyStore, createFileSystemStore } from "@reports/storage";
import {
  createFaultProxy,
  createTestDatabases,
  findFreePort,
  hasPgbouncer,
  installTypePackages,
  servesEverything,
  startPgbouncer,
  waitFor,
} from "@reports/testing";
import postgres from "postgres";
import { expect, test, vi } from "vitest";
import { reportAuthorities, jwtSecret, tokenOf } from "./test/api-under-test.ts";
import { openEventStream } from "./test/event-stream-reader.ts";

// An instance adopts its store only while no record names a file.
const databases = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const main = fileURLToPath(new URL("main.ts", import.meta.url));
const mainWithClocks = fileURLToPath(new URL("test/api-main.fixture.ts", import.meta.url));

/** @param entry The main module and its arguments. */
function start(environment: Record<string, string>, entry: readonly string[] = [main]) {
  const child = spawn(process.execPath, ["--conditions=@reports/source", ...entry], {
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer) => void (output += chunk.toString());
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  // With everything that it has said.
  const exited = once(child, "close").then(([code]) => code as number | null);
  return {
    child,
    exited,
    output: () => output,
    /** Resolves once that text stands in its output; a line may be read later than what it tells of is seen elsewhere. */
    says: (text: string) => waitFor(() => output.includes(text), { what: `the API to say: ${text}` }),
  };
}

test("a start with wrong configuration lists every problem, without a stack, and exits 78", async () => {
  const { exited, output } = start({ PORT: "http", TRUSTED_PROXY_HOPS: "many" });
  expect(await exited).toBe(78);
  for (const name of ["PORT", "TRUSTED_PROXY_HOPS", "DATABASE_URL", "STORAGE_DIR"]) expect(output()).toContain(name);
  expect(output()).not.toMatch(/^\s+at /m);
});

test("a start with report types that cannot be used lists every problem of every package, and exits 78", async () => {
  await using packages = await installTypePackages({
    throws: `throw new Error("no licence");`,
    exits: `process.exit(0);`,
    relation: `
      import { defineReportTypes } from "@reports/core/report-type";
      const columns = [{ key: "name", title: "Name", kind: "text" }];
      const definition = { type: "CREW", version: 1, title: "Crew", columns, rows: { kind: "relation", relation: "crew" } };
      export default defineReportTypes([{ definition, authority: "REPORT_CREW" }]);`,
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
  const least = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing", STORAGE_DIR: "/unused" };
  const types = { REPORT_TYPES: "throws, exits,missing", REPORT_TYPES_DIR: packages.directory };
  const [unloadable, path, none, override, relation, alike] = await Promise.all(
    [
      types,
      { REPORT_TYPES: "./reports.js,node:fs" },
      { BUILT_IN_REPORT_TYPES: "false", REPORT_TYPES_ENV_PREFIX: "AUTH_" },
      { AUTH_REPORT_AUTHORITIES: "CREW=MAY_SEE" },
      { ...types, REPORT_TYPES: "relation" },
      { ...types, REPORT_TYPES: "shift_1,shift1" },
    ].map(async (environment) => {
      const { exited, output } = start({ ...least, ...environment });
      expect(await exited).toBe(78);
      expect(output()).not.toMatch(/^\s+at /m);
      return output();
    }),
  );
  expect(unloadable).toContain("The configuration has 3 problems:");
  expect(unloadable).toContain("- REPORT_TYPES: throws: it cannot be imported: Error: no licence");
  expect(unloadable).toContain("- REPORT_TYPES: exits: it ended the process that imported it (exit code 0).");
  expect(unloadable).toContain("- REPORT_TYPES: missing: it cannot be imported: Error: Cannot find package");
  expect(path).toContain("- REPORT_TYPES: ./reports.js: this is not the name of an installed package");
  expect(path).toContain("- REPORT_TYPES: node:fs: this is not the name of an installed package");
  expect(relation).toContain("- REPORT_TYPES: The rows of CREW come from no relation of the register.");
  expect(alike).toContain(
    "- REPORT_TYPES: shift1: SHIFT1 and SHIFT_1 of shift_1 have the same name in OpenAPI, Shift1.",
  );
  expect(none).toContain("- REPORT_TYPES: must be set too, because BUILT_IN_REPORT_TYPES is false");
  expect(none).toMatch(/- REPORT_TYPES_ENV_PREFIX: must not be the beginning of a secret's name: AUTH_JWT_SECRET/);
  expect(override).toContain(
    `- AUTH_REPORT_AUTHORITIES: CREW is not a report type of this deployment: ${builtInReportTypes.map(({ type }) => type).join(", ")} are`,
  );
});

// Each test starts a process of its own, on a database of its own, which takes long on a busy machine; most of them wait for times that pass.
vi.setConfig({ testTimeout: 120_000 });

/** Waits until the API is ready, and says on which port. */
async function readyPort({ child, output }: Pick<ReturnType<typeof start>, "child" | "output">): Promise<number> {
  await waitFor(() => output().includes("api is ready") || child.exitCode !== null, {
    what: "the API to be ready",
    timeoutMs: 60_000,
  });
  return Number(/"port":(\d+)/.exec(output())?.[1]);
}

test.concurrent("the process serves, is ready, and on SIGTERM ends with 0", async () => {
  await using database = await databases.cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), "api-main-"));
  const { child, exited, output } = start({
    DATABASE_URL: database.url,
    STORAGE_DIR: folder,
    HOST: "127.0.0.1",
    PORT: "0",
  });
  try {
    const port = await readyPort({ child, output });
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/v1/reports`)).status).toBe(401);
    // What Postgres does not tell within two seconds is left out of a page, and stands in a later one.
    const toldByPostgres = ["jobs{", "workers{", "oldest_wait_seconds{"].map((name) => `\nreport_queue_${name}`);
    toldByPostgres.push("\nreport_types_unserved{", "\nreports_postgres_oldest_snapshot_seconds ");
    const metrics = await waitFor(
      async () => {
        const page = await fetch(`http://127.0.0.1:${port}/metrics`).then(async (response) => response.text());
        return toldByPostgres.every((line) => page.includes(line)) && page;
      },
      { what: "a page with everything" },
    );
    for (const line of [
      'reports_http_requests_total{route="/v1/reports",method="GET",status="401"} 1',
      "reports_open_downloads 0",
      "report_watches 0",
      'report_queue_jobs{lane="quick",state="waiting"} 0',
      'report_queue_jobs{lane="bulk",state="running"} 0',
      'report_queue_workers{lane="quick"} 0',
      'report_types_unserved{type="PROXY"} 1',
      'report_queue_oldest_wait_seconds{lane="quick"} 0',
    ]) {
      expect(metrics.split("\n")).toContain(line);
    }
    expect(metrics).toMatch(/^reports_postgres_oldest_snapshot_seconds \d/m);
    expect(metrics).toMatch(/^reports_http_request_duration_seconds_count\{route="\/v1\/reports",method="GET"\} 1$/m);
  } finally {
    child.kill("SIGTERM");
    expect({ code: await exited, output: output() }).toMatchObject({ code: 0 });
    await rm(folder, { recursive: true, force: true });
  }
});

test.concurrent("while it waits for the database the process lives, says why, is not ready, serves nothing else, and serves once it is there", async () => {
  await using database = await databases.cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), "api-waits-"));
  const [port, apart, probePort, away] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const url = new URL(database.url);
  const upstream = { host: url.hostname, port: Number(url.port) };
  url.port = String(away);
  const common = { DATABASE_URL: url.href, STORAGE_DIR: folder, HOST: "127.0.0.1" };
  const one = start({ ...common, PORT: String(port) });
  const two = start({ ...common, PORT: String(apart), PROBE_PORT: String(probePort) });
  const ask = async (at: number, path: string) => fetch(`http://127.0.0.1:${at}${path}`).catch(() => null);
  try {
    for (const at of [port, probePort]) {
      await waitFor(async () => (await ask(at, "/health/live"))?.status === 200, {
        what: "the process to live",
        timeoutMs: 60_000,
      });
      const ready = await ask(at, "/health/ready");
      // Where nobody answers, what the processes wrote says why.
      expect(ready?.status ?? one.output() + two.output()).toBe(503);
    }
    expect(await (await ask(port, "/v1/reports"))?.json()).toMatchObject({ status: 503, code: "not-ready" });
    expect(await ask(apart, "/health/live")).toBe(null);
    for (const { says } of [one, two]) await says('"msg":"waiting for the database"');
    await one.says(`"reason":"connect ECONNREFUSED 127.0.0.1:${away}"`);
    await using proxy = await createFaultProxy({ upstream, port: away });
    expect(proxy.port).toBe(away);
    for (const at of [port, apart])
      await waitFor(async () => (await ask(at, "/v1/reports"))?.status === 401, {
        what: "being served",
        timeoutMs: 60_000,
      });
    for (const { child } of [one, two]) child.kill("SIGTERM");
    expect(await Promise.all([one.exited, two.exited])).toEqual([0, 0]);
  } finally {
    for (const { child } of [one, two]) child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
});

test.concurrent("what waiting for the database cannot mend ends the start at once, with what is wrong and nothing secret", async () => {
  await using database = await databases.cloneDatabase();
  const refused = Object.assign(new URL(database.url), { password: "hunter2" }).href;
  const wrongs = [
    [refused, "- DATABASE_URL: is refused: password authentication failed for user"],
    [`${refused}?sslmode=prefer`, "- DATABASE_URL: has an sslmode that is none of"],
  ] as const;
  await Promise.all(
    wrongs.map(async ([url, expected]) => {
      const { exited, output } = start({ DATABASE_URL: url, STORAGE_DIR: "/unused", HOST: "127.0.0.1", PORT: "0" });
      expect(await exited).toBe(78);
      expect(output()).toContain(expected);
      expect(output()).not.toMatch(/hunter2|^\s+at /m);
    }),
  );
});

test.concurrent("a process that waits for the database ends at once when it is told to", async () => {
  const nowhere = `postgres://nobody@127.0.0.1:${await findFreePort()}/none`;
  const { child, exited, output } = start({
    DATABASE_URL: nowhere,
    STORAGE_DIR: "/unused",
    HOST: "127.0.0.1",
    PORT: "0",
  });
  await waitFor(() => output().includes("waiting for the database"), { what: "why it waits", timeoutMs: 60_000 });
  child.kill("SIGTERM");
  expect(await exited).toBe(0);
  expect(output()).toContain('"msg":"stopped"');
});

test.concurrent("without a right that its role needs the process is not ready, names it in its log alone, and is ready once it is granted", async () => {
  await using database = await databases.cloneDatabase();
  await createRoles({ databaseUrl: database.url });
  const folder = await mkdtemp(join(tmpdir(), "api-rights-"));
  const owner = postgres(database.url, { max: 1, onnotice: () => undefined });
  const user = `test_${randomBytes(6).toString("hex")}`;
  await owner.unsafe(`create role ${user} login password 'secret' in role ${databaseRoles.api}`);
  await owner`revoke insert on reports from reports_api`;
  const url = Object.assign(new URL(database.url), { username: user, password: "secret" }).href;
  const { child, exited, output, says } = start({
    DATABASE_URL: url,
    STORAGE_DIR: folder,
    HOST: "127.0.0.1",
    PORT: "0",
  });
  try {
    const ready = `http://127.0.0.1:${await readyPort({ child, output })}/health/ready`;
    const refused = await fetch(ready);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ errors: [{ message: "rights: failing" }] });
    await says("The user of DATABASE_URL lacks INSERT on reports.");
    await owner`grant insert on reports to reports_api`;
    await waitFor(async () => (await fetch(ready)).status === 200, { what: "readiness", timeoutMs: 60_000 });
  } finally {
    child.kill("SIGTERM");
    await exited;
    await owner.unsafe(`drop role ${user}`);
    await owner.end();
    await rm(folder, { recursive: true, force: true });
  }
});

test.concurrent("a process whose queue was moved is not ready, names both schemas and accepts no start", async () => {
  await using database = await databases.cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), "api-queue-"));
  const { child, exited, output, says } = start({
    DATABASE_URL: database.url,
    STORAGE_DIR: folder,
    AUTH_JWT_SECRET: jwtSecret,
    HOST: "127.0.0.1",
    PORT: "0",
  });
  try {
    const origin = `http://127.0.0.1:${await readyPort({ child, output })}`;
    const begin = async () =>
      fetch(`${origin}/v1/reports`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${await tokenOf(reportAuthorities)}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ reportType: "PROXY", format: "csv" }),
      });
    expect((await begin()).status).toBe(202);
    await migrateDatabase({ databaseUrl: database.url, queueSchema: "acme", moveQueue: true });
    expect((await begin()).status).toBe(503);
    await waitFor(
      async () => {
        const response = await fetch(`${origin}/health/ready`);
        return response.status === 503 && (await response.text()).includes("queue: failing");
      },
      { what: "the process not to be ready", timeoutMs: 60_000 },
    );
    await says("The database's queue is in acme, but QUEUE_SCHEMA of this process is report_queue.");
  } finally {
    child.kill("SIGTERM");
    await exited;
    await rm(folder, { recursive: true, force: true });
  }
});

test.concurrent("a download that runs when SIGTERM comes is finished, while new connections are refused", async () => {
  await using database = await databases.cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), "api-drain-"));
  const bytes = randomBytes(24 * 1024 * 1024);
  const id = await storeReport(database.url, folder, bytes);
  const api = start({
    DATABASE_URL: database.url,
    STORAGE_DIR: join(folder, "files"),
    HOST: "127.0.0.1",
    PORT: "0",
    AUTH_JWT_SECRET: jwtSecret,
  });
  try {
    const port = await readyPort(api);
    const headers = { Authorization: `Bearer ${await tokenOf(reportAuthorities)}` };
    // Nobody reads yet: the file is larger than what the sockets hold, so the download cannot end.
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ host: "127.0.0.1", port, path: `/v1/report/download?reportType=PROXY&id=${id}`, headers }, resolve).on(
        "error",
        reject,
      );
    });
    expect(response.statusCode).toBe(200);
    api.child.kill("SIGTERM");
    const isRefused = () =>
      fetch(`http://127.0.0.1:${port}/health/live`).then(
        () => false,
        () => true,
      );
    await waitFor(isRefused, { what: "new connections to be refused" });
    const hash = createHash("sha256");
    for await (const chunk of response) hash.update(chunk as Buffer);
    expect(hash.digest("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect({ code: await api.exited, output: api.output() }).toMatchObject({ code: 0 });
  } finally {
    api.child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
});

test.concurrent("on SIGTERM the process is not ready at once, serves on until the balancer has seen it, and then ends streams and waits in order", async () => {
  await using database = await databases.cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), "api-stop-"));
  const api = start({
    DATABASE_URL: database.url,
    STORAGE_DIR: folder,
    HOST: "127.0.0.1",
    PORT: "0",
    AUTH_JWT_SECRET: jwtSecret,
    // Within this everything before the end of the stream has to happen, on a busy machine, too.
    SHUTDOWN_DELAY_SECONDS: "10",
  });
  try {
    const port = await readyPort(api);
    const base = `http://127.0.0.1:${port}`;
    const headers = { Authorization: `Bearer ${await tokenOf(reportAuthorities)}` };
    const started = await fetch(`${base}/v1/report?reportType=PROXY`, { headers });
    const { id } = (await started.json()) as { id: string };
    const waiting = fetch(`${base}/v1/reports/${id}`, { headers: { ...headers, Prefer: "wait=30" } });
    const stream = await openEventStream(port, `/v1/reports/${id}/events`, headers);
    const watches = async () =>
      (await fetch(`${base}/metrics`).then(async (response) => response.text())).match(/^report_watches (\d+)$/m)?.[1];
    await waitFor(async () => (await watches()) === "2", { what: "both to wait" });

    api.child.kill("SIGTERM");
    const readiness = await waitFor(
      async () => {
        const response = await fetch(`${base}/health/ready`);
        return response.status === 503 ? response : null;
      },
      { what: "not being ready" },
    );
    expect(await readiness.json()).toMatchObject({ errors: [{ message: "running: failing" }] });
    const served = await fetch(`${base}/v1/reports/${id}`, { headers });
    expect(served.status).toBe(200);
    expect(served.headers.get("connection")).toBe("close");

    await stream.ended;
    expect(stream.events().map(({ data }) => data["to"])).toEqual(["QUEUED"]);
    const answered = await waiting;
    expect(answered.status).toBe(200);
    expect(await answered.json()).toMatchObject({ status: "QUEUED" });
    expect({ code: await api.exited, output: api.output() }).toMatchObject({ code: 0 });
  } finally {
    api.child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
});

test.concurrent("readiness tells of a database that is away and of its return, and of a store without giving the instance up for it", async () => {
  await using database = await databases.cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), "api-ready-"));
  const upstream = new URL(database.url);
  await using proxy = await createFaultProxy({ upstream: { host: upstream.hostname, port: Number(upstream.port) } });
  const url = new URL(database.url);
  url.host = `${proxy.host}:${proxy.port}`;
  const environment = { DATABASE_URL: url.href, STORAGE_DIR: folder, HOST: "127.0.0.1", PORT: "0" };
  const api = start(environment, [mainWithClocks, JSON.stringify({ storeMs: 1_000 })]);
  try {
    const port = await readyPort(api);
    const health = async () => fetch(`http://127.0.0.1:${port}/health/ready`);
    const storeState = async () => ((await (await health()).json()) as { store?: string }).store;
    const failing = async () => {
      const response = await health();
      if (response.status === 200) return "";
      const { errors } = (await response.json()) as { errors: { message: string }[] };
      return errors.map(({ message }) => message).join(", ");
    };
    await waitFor(async () => (await failing()) === "", { what: "being ready" });
    await proxy.set({ kind: "refuse" });
    await waitFor(async () => (await failing()).includes("database: failing"), {
      what: "the loss to be told",
    });
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
    await proxy.set({ kind: "none" });
    await waitFor(async () => (await failing()) === "", { what: "being ready again" });
    // Nobody has adopted a store; the API never does. A look that fell into the loss knows nothing until the next one.
    await waitFor(async () => (await storeState()) === "mismatch", { what: "the store to be looked at" });
    await adopt(database.url, folder);
    await waitFor(async () => (await storeState()) === "ok", { what: "the adopted store" });
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, "in the way");
    await waitFor(async () => (await storeState()) === "mismatch", {
      what: "the loss of the store",
    });
    expect((await health()).status).toBe(200);
    const metrics = await fetch(`http://127.0.0.1:${port}/metrics`).then(async (response) => response.text());
    expect(metrics.split("\n")).toContain('reports_store_state{state="mismatch"} 1');
    expect(metrics.split("\n")).toContain('reports_store_state{state="ok"} 0');
    await api.says("the file store is not the one of the database");
  } finally {
    api.child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
});

/** Makes the folder the store of the database, as the first worker does. */
async function adopt(databaseUrl: string, directory: string): Promise<void> {
  const database = createDatabase({ url: databaseUrl });
  const record = createStoreMarkerRecord(database);
  await adoptEmptyStore({ store: createFileSystemStore({ directory }), record, newId });
  await database.close();
}

test.concurrent(
  "behind a pooler in transaction mode, or with a source behind one, the API ends at once, says why, and exits 78",
  { skip: !hasPgbouncer() },
  async ({ onTestFailed }) => {
    await using database = await databases.cloneDatabase();
    await using pooler = await startPgbouncer({ databaseUrl: database.url, settings: { pool_mode: "transaction" } });
    const folder = await mkdtemp(join(tmpdir(), "api-pooled-"));
    const wherever = { STORAGE_DIR: folder, HOST: "127.0.0.1", PORT: "0" };
    const asDatabase = start({ ...wherever, DATABASE_URL: pooler.url });
    const sources = { REPORT_SOURCES: "billing", REPORT_SOURCE_BILLING_URL: pooler.url };
    const asSource = start({ ...wherever, ...sources, DATABASE_URL: database.url });
    // One that lives on is waited for until the test's time is over: what it says by then tells why.
    onTestFailed(() => void process.stdout.write(`${asDatabase.output()}\n${asSource.output()}\n`));
    for (const [{ exited, output }, variable] of [
      [asDatabase, "DATABASE_URL"],
      [asSource, "REPORT_SOURCE_BILLING_URL"],
    ] as const) {
      expect({ code: await exited, output: output() }).toEqual({
        code: 78,
        output: expect.stringContaining(`- ${variable}: leads to a connection pooler in transaction`) as string,
      });
      expect(output()).not.toMatch(/^\s+at /m);
    }
    await rm(folder, { recursive: true, force: true });
  },
);

test.concurrent("on a Postgres that accepts no writes the API lives and is not ready, and is once it does", async () => {
  await using database = await databases.cloneDatabase();
  const owner = postgres(database.url, { max: 1 });
  await owner.unsafe(`alter database "${database.name}" set default_transaction_read_only = on`);
  const folder = await mkdtemp(join(tmpdir(), "api-read-only-"));
  const api = start({ DATABASE_URL: database.url, STORAGE_DIR: folder, HOST: "127.0.0.1", PORT: "0" });
  try {
    const base = `http://127.0.0.1:${await readyPort(api)}`;
    expect((await fetch(`${base}/health/live`)).status).toBe(200);
    expect((await fetch(`${base}/health/ready`)).status).toBe(503);
    await owner.unsafe(`alter database "${database.name}" reset default_transaction_read_only`);
    await owner`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await waitFor(async () => (await fetch(`${base}/health/ready`)).status === 200, { what: "being ready" });
  } finally {
    await owner.end();
    api.child.kill("SIGTERM");
    expect({ code: await api.exited, output: api.output() }).toMatchObject({ code: 0 });
    await rm(folder, { recursive: true, force: true });
  }
});

test("while lists of the register wait for Postgres, credentials, starts and probes are served", async () => {
  await using database = await databases.cloneDatabase();
  const owner = postgres(database.url, { max: 2 });
  const folder = await mkdtemp(join(tmpdir(), "api-lists-"));
  const api = start({
    DATABASE_URL: database.url,
    STORAGE_DIR: folder,
    HOST: "127.0.0.1",
    PORT: "0",
    AUTH_JWT_SECRET: jwtSecret,
    // Longer than anything else is waited for here.
    LIST_TIMEOUT_SECONDS: "60",
  });
  const over = new AbortController();
  const lock = await owner.reserve();
  try {
    const base = `http://127.0.0.1:${await readyPort(api)}`;
    const bearerOf = async (subject: string) => ({
      Authorization: `Bearer ${await tokenOf([...reportAuthorities, "REGISTRY_READ"], subject)}`,
    });
    const headers = await bearerOf("alice");
    expect((await fetch(`${base}/v1/domains`, { headers })).status).toBe(200);
    await lock`begin`;
    await lock`lock table domains in access exclusive mode`;
    // As many as each of six may have at once: all six connections are taken.
    for (const reader of await Promise.all(["ada", "bea", "cem", "dan", "eva", "fay"].map(bearerOf))) {
      for (let place = 0; place < 3; place++)
        void fetch(`${base}/v1/domains`, { headers: reader, signal: over.signal }).catch(() => undefined);
    }
    await waitFor(
      async () => {
        const [row] = await owner<{ waiting: number }[]>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        return row!.waiting >= 6;
      },
      { what: "lists to wait" },
    );
    expect(
      (await fetch(`${base}/v1/report?reportType=PROXY`, { headers, signal: AbortSignal.timeout(30_000) })).status,
    ).toBe(202);
    expect((await fetch(`${base}/health/ready`, { signal: AbortSignal.timeout(30_000) })).status).toBe(200);
  } finally {
    over.abort();
    await lock`rollback`;
    lock.release();
    await owner.end();
    api.child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
});

async function storeReport(databaseUrl: string, folder: string, bytes: Buffer): Promise<string> {
  await adopt(databaseUrl, join(folder, "files"));
  const database = createDatabase({ url: databaseUrl });
  const reports = createReportStore(database);
  const definition = builtInReportTypes.find(({ type }) => type === "PROXY")!;
  const context = { principalId: "test", coalesce: false, traceparent: null, requiredAuthority: null };
  const { report } = await startReport(
    { reports, newId, ...unguardedStarts },
    context,
    startInputFromBody(definition, { format: "csv" }, new Date()),
  );
  await reports.claim(report.id, { workerId: "test", leaseMs: 60_000, ...servesEverything });
  const path = join(folder, "spool");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const stored = { contentType: "text/csv; charset=utf-8", sizeBytes: bytes.length, sha256 };
  const storageKey = `reports/${report.id}/1.csv`;
  await writeFile(path, bytes);
  const files = createFileSystemStore({ directory: join(folder, "files") });
  const { version: storedVersion } = await files.put({ key: storageKey, path, ...stored });
  await reports.complete(report.id, 1, {
    file: {
      id: newId(),
      fileName: "Proxies.csv",
      extension: "csv",
      columns: ["name"],
      storageKey,
      storedVersion,
      ...stored,
    },
    rowCount: 1,
    dataAsOf: new Date(),
    warnings: [],
    retentionMs: 60_000,
  });
  await database.close();
  return report.id;
}
