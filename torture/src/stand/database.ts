import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { evaluateLoss } from "@reports/core/report";
import {
  copyIntoInventory,
  createDatabase,
  createLostAttemptRescuer,
  defaultQueueSchema,
  migrateDatabase,
} from "@reports/db";
import {
  listChildProcesses,
  createFaultProxy,
  freezePostgres,
  generateDemoInventory,
  runMigrateCommand,
  signalIfRunning,
  startPostgres,
} from "@reports/testing";
import postgres, { type ParameterOrFragment, type Row, type RowList } from "postgres";
import { createFakedClock } from "./faked-clock.ts";

/** A Postgres and a fault proxy in front of it. The service connects through the proxy. `url` and `sql` bypass it, for the harness. */
export type TortureDatabase = Awaited<ReturnType<typeof startTortureDatabase>>;

const settings = {
  // Only processes of Postgres crash and not the machine, so fsync is not needed to keep written data.
  fsync: "off",
  full_page_writes: "off",
  // The sessions of the service must set `synchronous_commit` themselves. If one does not, this default and the long delay below make a crash lose
  // its writes.
  synchronous_commit: "off",
  wal_writer_delay: "10s",
  wal_keep_size: "256MB",
};
const maxQueryFailures = 60;
const inventoryDate = new Date("2026-06-01T00:00:00Z");

export async function startTortureDatabase(checkout: string | undefined, hasFakedClock: boolean) {
  const clockFolder = hasFakedClock ? makeClockFolder() : null;
  const clock = clockFolder === null ? null : createFakedClock(join(clockFolder, "clock"), 0);
  const environment = clock?.environment;
  let server = await startPostgres({ settings, environment });
  const { url, port, dataDir } = server;
  const { password } = new URL(url);
  const migrate = async (): Promise<void> => migrateDatabase({ databaseUrl: url });
  await (checkout === undefined ? migrate() : runMigrateCommand(url, checkout));
  await copyIntoInventory({
    databaseUrl: url,
    ...generateDemoInventory({ proxies: 40, domains: 600, asOf: inventoryDate }),
  });
  const proxy = await createFaultProxy({ upstream: { host: "127.0.0.1", port } });
  const connection = { synchronous_commit: "on" };
  const sql = postgres(url, { max: 4, connect_timeout: 5, connection, onnotice: () => undefined });
  const own = createDatabase({ url, max: 1 });
  const rescuer = createLostAttemptRescuer(own, { queueSchema: defaultQueueSchema });
  const restarts: { from: number; to: number }[] = [];
  const replicas: Awaited<ReturnType<typeof startPostgres>>[] = [];
  let thaw: (() => void) | null = null;

  async function between(mode: "immediate" | "fast" | "kill", work: () => void = () => undefined): Promise<void> {
    const from = Date.now();
    const killed = mode === "kill" ? [server.pid, ...listChildProcesses(server.pid)] : [];
    for (const pid of killed) signalIfRunning(pid, "SIGKILL");
    await server.stop(mode === "fast" ? "fast" : "immediate", { keepData: true });
    work();
    server = await startPostgres({ dataDir, port, password, settings, environment });
    restarts.push({ from, to: Date.now() });
  }

  /** Repeats a query until it succeeds, because the faults of the harness affect its own queries, too. Rejects after `maxQueryFailures`. */
  async function retryingSql<Rows extends readonly object[] = Row[]>(
    template: TemplateStringsArray,
    ...values: readonly ParameterOrFragment<never>[]
  ): Promise<RowList<Rows>> {
    for (let left = maxQueryFailures; ; left--) {
      try {
        return await sql<Rows>(template, ...values);
      } catch (error) {
        if (left <= 1) throw error;
        await wait(500);
      }
    }
  }

  return {
    proxy,
    proxiedUrl: url.replace(`:${port}/`, `:${proxy.port}/`),
    url,
    sql,
    retryingSql,
    restarts,
    clock,
    migrate,
    /** Restarts Postgres. The modes `immediate` and `kill` (SIGKILL) are crashes. Resolves when Postgres accepts connections again. */
    restart: async (mode: "immediate" | "fast" | "kill") => between(mode),
    freeze() {
      thaw = freezePostgres(server);
      return thaw;
    },
    /** Makes a physical backup: stops Postgres briefly and copies its data. Resolves with the folder of the copy. */
    async backUp() {
      const copy = `${dataDir}-copy-${restarts.length}`;
      await between("fast", () => execFileSync("cp", ["-a", dataDir, copy]));
      return copy;
    },
    async restore(copy: string) {
      const newer = `${dataDir}-newer`;
      await between("fast", () => {
        renameSync(dataDir, newer);
        renameSync(copy, dataDir);
      });
      return async () =>
        between("fast", () => {
          rmSync(dataDir, { recursive: true });
          renameSync(newer, dataDir);
        });
    },
    async startReplica(copy: string, delaySeconds: number) {
      writeFileSync(join(copy, "standby.signal"), "");
      const replica = await startPostgres({
        dataDir: copy,
        password,
        settings: {
          ...settings,
          primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password}`,
          recovery_min_apply_delay: `${delaySeconds}s`,
        },
      });
      replicas.push(replica);
      return replica.url;
    },
    /** Runs one pass of the service's rescuer in this process. Rescued reports may run again without a delay. */
    async rescueNow() {
      const limits = { deadAfterMs: 25_000, maxBackoffMs: 0, joblessAfterMs: 20_000 };
      await rescuer.rescue(evaluateLoss, limits).catch(() => undefined);
    },
    /** Ends all servers synchronously, because an exit handler cannot wait. */
    kill() {
      // During a restart, `server` is still the previous server, so this cannot end a server that is just starting.
      for (const { pid } of [server, ...replicas]) signalIfRunning(pid, "SIGQUIT");
      thaw?.();
    },
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 5 });
      await own.close();
      await proxy[Symbol.asyncDispose]();
      for (const replica of replicas) await replica.stop("immediate");
      await server.stop("immediate", { keepData: false });
      if (clockFolder !== null) rmSync(clockFolder, { recursive: true });
    },
  };
}

/** Creates the folder for the file of the fake clock. The user of Postgres can read it. */
function makeClockFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "reports-clock-"));
  chmodSync(folder, 0o755);
  return folder;
}
