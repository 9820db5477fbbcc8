import { rm, writeFile } from "node:fs/promises";
import { createFaultProxy, isFullTestRun, waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { readReadiness, setUpApiProcesses, waitForApiOrigin, waitForReadiness } from "./test/api-process.ts";

const clocks = isFullTestRun ? {} : { storeMs: 1_000 };

test("/health/ready fails while the database is down, but not without the file store", async () => {
  await using apis = await setUpApiProcesses();
  const url = new URL(apis.databaseUrl);
  await using proxy = await createFaultProxy({ upstream: { host: url.hostname, port: Number(url.port) } });
  url.host = `${proxy.host}:${proxy.port}`;
  const api = apis.start({ DATABASE_URL: url.href }, { clocks });
  const origin = await waitForApiOrigin(api);
  const health = async () => fetch(`${origin}/health/ready`);
  const storeState = async () => ((await (await health()).json()) as { store?: string }).store;
  await waitForReadiness(origin, "200");
  await proxy.set({ kind: "refuse" });
  await waitFor(async () => (await readReadiness(origin)).includes("database: failing"), {
    what: "readiness to fail",
  });
  expect((await fetch(`${origin}/health/live`)).status).toBe(200);
  await proxy.set({ kind: "none" });
  await waitForReadiness(origin, "200");
  // No worker runs, so the file store is not recorded as that of the database. The first check after the outage therefore finds a mismatch.
  await waitFor(async () => (await storeState()) === "mismatch", { what: "the check of the store" });
  await apis.adopt();
  await waitFor(async () => (await storeState()) === "ok", { what: "the adopted store" });
  await rm(apis.storageDir, { recursive: true, force: true });
  await writeFile(apis.storageDir, "in the way");
  await waitFor(async () => (await storeState()) === "mismatch", {
    what: "the loss of the store",
  });
  expect((await health()).status).toBe(200);
  const metrics = await fetch(`${origin}/metrics`).then(async (response) => response.text());
  expect(metrics.split("\n")).toContain('reports_store_state{state="mismatch"} 1');
  expect(metrics.split("\n")).toContain('reports_store_state{state="ok"} 0');
  await api.waitForLog("the file store is not the one of the database");
}, 120_000);
