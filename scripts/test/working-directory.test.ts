import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cloneDemoDatabase, checkoutFolder, isFullTestRun, startProcess, type StandProcess } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

/** Files that libraries look for in the working directory, in its parents or in the home directory, and would execute or read as settings. */
const files: readonly string[] = [
  "crontab",
  ...["js", "cjs", "mjs", "ts", "json"].map((type) => `tasks/report.${type}`),
  ...["js", "cjs", "mjs", "ts"].flatMap((type) => [`graphile.config.${type}`, `graphile-worker.config.${type}`]),
  ...["", ".json", ".yaml", ".yml", ".js", ".cjs", ".mjs", ".ts"].flatMap((end) => [
    `.graphile-workerrc${end}`,
    `.config/graphile-workerrc${end}`,
    `.graphilerc${end}`,
  ]),
  "package.json",
  ".env",
  ".env.local",
  ".env.production",
  ".npmrc",
  ".pgpass",
  ".pg_service.conf",
  ".postgresql/root.crt",
  ".postgresql/postgresql.crt",
  ".aws/credentials",
  ".aws/config",
  ".mc/config.json",
  ".minio/credentials",
  "tsconfig.json",
  "drizzle.config.ts",
  "koa.js",
  "migrations/meta/_journal.json",
  ...["pg-native", "pino-pretty", "bufferutil", "dotenv", "postgres", "graphile-worker", "koa"].map(
    (name) => `node_modules/${name}/package.json`,
  ),
];

let folder: string;
let databaseUrl: string;
const parts = new AsyncDisposableStack();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hostile-directory-"));
  parts.defer(async () => rm(folder, { recursive: true, force: true }));
  databaseUrl = parts.use(await cloneDemoDatabase()).url;
  const paths = files.map((name) => join(folder, name));
  for (const path of paths) mkdirSync(dirname(path), { recursive: true });
  execFileSync("mkfifo", paths);
});

afterAll(async () => parts.disposeAsync());

/** Starts a program in the folder. Each of the files there is a pipe that nobody writes to, so a process that opens one waits forever. */
function start(entry: string): StandProcess {
  const started = startProcess({
    name: entry,
    args: ["--conditions=@reports/source", join(checkoutFolder, entry)],
    cwd: folder,
    environment: {
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      HOME: folder,
      DATABASE_URL: databaseUrl,
      STORAGE_DIR: join(folder, "stored"),
      HOST: "127.0.0.1",
      PORT: "0",
      WORKER_PORT: "0",
      WORKER_CONCURRENCY: "1",
    },
  });
  parts.defer(async () => started.kill());
  return started;
}

/** Only CI also starts the API. The worker uses all libraries of the list except koa. */
const apps = [
  ["worker", "apps/worker/src/main.ts", "worker is ready"],
  ...(isFullTestRun ? [["API", "apps/api/src/main.ts", "api is ready"] as const] : []),
] as const;

test.runIf(process.platform === "linux").each(apps)(
  "the %s reads nothing from its working or home directory",
  async (_, entry, ready) => {
    const started = start(entry);
    await started.waitForLog(ready, 120_000);
    expect(started.pid).not.toBeNull();
  },
  180_000,
);

test.runIf(process.platform === "linux")(
  "migrate reads nothing from its working or home directory",
  async () => {
    const migrate = start("packages/db/src/commands/migrate.ts");
    expect(await migrate.ended).toBe(0);
  },
  180_000,
);
