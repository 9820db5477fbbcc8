import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { reservedForProbes } from "@reports/runtime";
import { attackPort, connectionAttacks, findFreePort, waitFor } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// @boundaries-ignore an app exports nothing, and its process is what listens
import { startWorkerProcesses, type WorkerProcess } from "../../apps/worker/src/test/worker-process.ts";
import { listeningPorts } from "../commands/listens-at.ts";

/** Bytes by which the memory of a process may grow during an attack. */
const maxGrowth = 200 * 1024 ** 2;
const probes = 20;

let processes: Awaited<ReturnType<typeof startWorkerProcesses>>;
let worker: WorkerProcess;
let api: ChildProcess;
const ports = { api: 0, probe: 0, worker: 0 };

beforeAll(async () => {
  processes = await startWorkerProcesses();
  for (const name of ["api", "probe", "worker"] as const) ports[name] = await findFreePort();
  worker = await processes.worker({ HOST: "127.0.0.1", WORKER_PORT: String(ports.worker), LOG_LEVEL: "info" });
  api = spawn(
    process.execPath,
    ["--conditions=@reports/source", join(import.meta.dirname, "../../apps/api/src/main.ts")],
    {
      env: {
        PATH: process.env["PATH"],
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
        DATABASE_URL: processes.url,
        STORAGE_DIR: processes.storageDir,
        HOST: "127.0.0.1",
        PORT: String(ports.api),
        PROBE_PORT: String(ports.probe),
        LOG_LEVEL: "error",
      },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  for (const port of Object.values(ports))
    await waitFor(async () => (await probe(port, "/health/ready").catch(() => null)) === 200, {
      what: `port ${port} to be ready`,
      timeoutMs: 120_000,
    });
}, 240_000);

afterAll(async () => {
  api.kill("SIGKILL");
  if (api.exitCode === null && api.signalCode === null) await once(api, "exit");
  await processes[Symbol.asyncDispose]();
});

const ofApi = () => ({ pid: api.pid!, isRunning: () => api.exitCode === null });
const processOf = { api: ofApi, probe: ofApi, worker: () => worker } as const;

test.runIf(process.platform === "linux")("these tests know every port that API and worker listen on", async () => {
  expect(await listeningPorts(api.pid!)).toEqual([ports.api, ports.probe].toSorted((a, b) => a - b));
  expect(await listeningPorts(worker.pid)).toEqual([ports.worker]);
});

describe.runIf(process.platform === "linux").each(["api", "probe", "worker"] as const)("the %s port", (name) => {
  test.each(connectionAttacks)("answers every probe and lives during $name", async (attack) => {
    const attacked = processOf[name]();
    const before = residentBytes(attacked.pid);
    using _held = await attackPort(ports[name], attack);
    const paths = ["/health/live", "/health/ready", "/metrics"];
    let most = 0;
    for (let asked = 0; asked < probes; asked++) {
      // A new connection each time, as the kubelet's.
      expect(await probe(ports[name], paths[asked % paths.length]!)).toBe(200);
      most = Math.max(most, residentBytes(attacked.pid));
    }
    expect(attacked.isRunning()).toBe(true);
    expect(most - before).toBeLessThan(maxGrowth);
  });
});

/** Asks once. On a machine that stands still, the time of a reserved connection can end first: then it asks again. */
async function probe(port: number, path: string): Promise<number | undefined> {
  const askedAt = performance.now();
  try {
    const request = get({ host: "127.0.0.1", port, path, agent: false });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    await text(response);
    return response.statusCode;
  } catch (error) {
    if (performance.now() - askedAt < reservedForProbes.reservedMs) throw error;
    return probe(port, path);
  }
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}
