import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
// @boundaries-ignore an app exports nothing, and its processes are what is started here
import { startWorkerProcesses } from "../../apps/worker/src/test/worker-process.ts";

const root = join(import.meta.dirname, "../..");
/** Files that libraries look for in a working directory, in its parents or in a home directory. */
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
let processes: Awaited<ReturnType<typeof startWorkerProcesses>>;
const children: ChildProcess[] = [];

beforeAll(async () => {
  processes = await startWorkerProcesses();
  folder = await mkdtemp(join(tmpdir(), "hostile-directory-"));
  const paths = files.map((name) => join(folder, name));
  for (const path of paths) mkdirSync(dirname(path), { recursive: true });
  execFileSync("mkfifo", paths);
});

afterAll(async () => {
  for (const child of children) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  await processes[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a program in the folder. Each file there is a pipe that nobody writes to: a process that opens one waits for ever. */
function start(entry: string) {
  const child = spawn(process.execPath, ["--conditions=@reports/source", join(root, entry)], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      DATABASE_URL: processes.url,
      STORAGE_DIR: processes.storageDir,
      HOST: "127.0.0.1",
      PORT: "0",
      WORKER_PORT: "0",
      WORKER_CONCURRENCY: "1",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let log = "";
  child.stdout.on("data", (chunk: Buffer) => (log += chunk.toString()));
  return { child, log: () => log };
}

test.runIf(process.platform === "linux").each([
  ["API", "apps/api/src/main.ts", "api is ready"],
  ["worker", "apps/worker/src/main.ts", "worker is ready"],
])(
  "the %s reads nothing from its working or home directory",
  async (_, entry, ready) => {
    const { child, log } = start(entry);
    await waitFor(() => log().includes(ready), { what: `the log to say: ${ready}`, timeoutMs: 120_000 });
    expect(child.exitCode).toBeNull();
  },
  180_000,
);

test.runIf(process.platform === "linux")(
  "migrate reads nothing from its working or home directory",
  async () => {
    const { child } = start("packages/db/src/commands/migrate.ts");
    await waitFor(() => child.exitCode !== null, { what: "migrate to end", timeoutMs: 120_000 });
    expect(child.exitCode).toBe(0);
  },
  180_000,
);
