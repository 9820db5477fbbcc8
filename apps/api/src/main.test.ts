import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { migrateDatabase } from "@reports/db";
import { createTestDatabases, waitFor } from "@reports/testing";
import { expect, test } from "vitest";

const databases = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });
const main = fileURLToPath(new URL("main.ts", import.meta.url));

function start(environment: Record<string, string>) {
  const child = spawn(process.execPath, ["--conditions=@reports/source", main], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const collect = (chunk: Buffer) => void (output += chunk.toString());
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const exited = once(child, "exit").then(([code]) => code as number | null);
  return { child, exited, output: () => output };
}

test("a start with wrong configuration lists every problem, without a stack, and exits 78", async () => {
  const { exited, output } = start({ PORT: "http", TRUSTED_PROXY_HOPS: "many" });
  expect(await exited).toBe(78);
  for (const name of ["PORT", "TRUSTED_PROXY_HOPS", "DATABASE_URL", "STORAGE_DIR"]) expect(output()).toContain(name);
  expect(output()).not.toMatch(/^\s+at /m);
});

test("the process serves, is ready, and on SIGTERM ends with 0", async () => {
  await using database = await databases.cloneDatabase();
  const folder = await mkdtemp(join(tmpdir(), "api-main-"));
  const { child, exited, output } = start({
    DATABASE_URL: database.url,
    STORAGE_DIR: folder,
    HOST: "127.0.0.1",
    PORT: "0",
  });
  try {
    await waitFor(() => output().includes("api is ready") || child.exitCode !== null, {
      what: "the API to be ready",
      timeoutMs: 20_000,
    });
    const [, port] = /"port":(\d+)/.exec(output()) ?? [];
    expect((await fetch(`http://127.0.0.1:${port}/health/ready`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/v1/reports`)).status).toBe(401);
  } finally {
    child.kill("SIGTERM");
    expect({ code: await exited, output: output() }).toMatchObject({ code: 0 });
    await rm(folder, { recursive: true, force: true });
  }
});
