import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { isProcessAlive } from "../process-alive.ts";
import { startStand, type StandOptions } from "./stand.ts";

const text = `
  import { createServer } from "node:http";
  const { PORT, WORKER_PORT } = process.env;
  createServer((_, response) => response.end(JSON.stringify(process.env))).listen(Number(PORT ?? WORKER_PORT), "127.0.0.1");`;

const options: StandOptions = {
  database: { url: "postgres://127.0.0.1/unused" },
  store: "folder",
  apis: 2,
  workers: 2,
  program: (app, name) => ({
    args: ["--input-type=module", "--eval", text],
    environment: { PROGRAM: `${app} ${name}` },
  }),
  environment: (origin) => ({ PUBLIC_URL: origin }),
};

test("every process of a stand has its own name, address and environment", async () => {
  await using stand = await startStand(options);
  await stand.addWorker({ name: "late", environment: { WORKER_CONCURRENCY: "7" } });
  const all = [...stand.apis, ...stand.workers];
  expect(all.map(({ name }) => name)).toEqual(["api-1", "api-2", "worker-1", "worker-2", "late"]);
  expect(new Set(all.map(({ origin }) => origin)).size).toBe(5);
  const seen = await Promise.all(all.map(async ({ origin }) => (await fetch(origin)).json()));
  expect(seen[1]).toMatchObject({
    DATABASE_URL: stand.databaseUrl,
    AUTH_JWT_SECRET: stand.jwtSecret,
    PUBLIC_URL: stand.origin,
    PROGRAM: "api api-2",
    STORAGE_DIR: expect.stringContaining(stand.folder),
  });
  expect(seen[4]).toMatchObject({ PROGRAM: "worker late", WORKER_CONCURRENCY: "7" });
});

test("disposing a stand ends all its processes and removes its folder", async () => {
  const stand = await startStand(options);
  const pids = [...stand.apis, ...stand.workers].map(({ pid }) => pid!);
  await stand[Symbol.asyncDispose]();
  expect(pids.filter(isProcessAlive)).toEqual([]);
  expect(existsSync(stand.folder)).toBe(false);
});

test("if one process of a stand cannot start, all others are ended", async () => {
  const pids: number[] = [];
  const failing = startStand({
    ...options,
    program: (app, name) =>
      name === "api-2"
        ? { args: ["--eval", "process.exit(78)"] }
        : { args: ["--input-type=module", "--eval", `${text} console.log("pid", process.pid);`] },
    onLine: (_, line) => line.startsWith("pid ") && pids.push(Number(line.slice(4))),
  });
  await expect(failing).rejects.toThrow("api-2 ended (78)");
  expect(pids.filter(isProcessAlive)).toEqual([]);
});
