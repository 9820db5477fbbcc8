import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { reservedProbeConnections } from "@reports/runtime";
import {
  attackPort,
  cloneDemoDatabase,
  connectionAttacks,
  createTestCaseDivider,
  findFreePort,
  findListeningPorts,
  isFullTestRun,
  startStand,
  type StandProcess,
  readMemoryBytes,
} from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const maxGrowth = 200 * 1024 ** 2;
const probes = isFullTestRun ? 20 : 3;

const parts = new AsyncDisposableStack();
let api: StandProcess;
let worker: StandProcess;
const ports = { api: 0, probe: 0, worker: 0 };

beforeAll(async () => {
  const database = parts.use(await cloneDemoDatabase());
  const stand = parts.use(
    await startStand({
      database,
      store: "folder",
      workers: 1,
      logFiles: true,
      environment: { WORKER_CONCURRENCY: "1" },
    }),
  );
  ports.probe = await findFreePort();
  api = await stand.addApi({ environment: { PROBE_PORT: String(ports.probe), LOG_LEVEL: "error" } });
  worker = stand.workers[0]!;
  for (const [name, { origin }] of [
    ["api", api],
    ["worker", worker],
  ] as const)
    ports[name] = Number(new URL(origin).port);
}, 240_000);

afterAll(async () => parts.disposeAsync());

const processOf = { api: () => api, probe: () => api, worker: () => worker } as const;

test.runIf(process.platform === "linux")("API and worker listen on no other ports than those tested here", async () => {
  expect(await findListeningPorts(api.pid!)).toEqual([ports.api, ports.probe].toSorted((a, b) => a - b));
  expect(await findListeningPorts(worker.pid!)).toEqual([ports.worker]);
});

/** The API accepts 200 connections per address, the other ports accept 100. */
const isBelowLimits = ({ connections }: { readonly connections: number }): boolean => connections <= 100;
/** Attacks. Outside of CI, they open fewer connections, but not less than the limits if they exceed these. Each costs the API much time. */
const attacks = connectionAttacks.map((attack) =>
  isFullTestRun ? attack : { ...attack, connections: isBelowLimits(attack) ? attack.connections / 3 : 220 },
);
const forNextPort = createTestCaseDivider();

describe.runIf(process.platform === "linux").each(["api", "probe", "worker"] as const)("the %s port", (name) => {
  test.each(forNextPort(attacks, 3))(
    `the ${name} port answers every health probe during the attack "$name"`,
    async (attack) => {
      const attacked = processOf[name]();
      const before = readMemoryBytes(attacked.pid!, "VmRSS");
      using _held = await attackPort(ports[name], attack);
      const paths = ["/health/live", "/health/ready", "/metrics"];
      let most = 0;
      for (let asked = 0; asked < probes; asked++) {
        // Each probe opens a new connection, as the kubelet does.
        expect(await probe(ports[name], paths[asked % paths.length]!)).toBe(200);
        most = Math.max(most, readMemoryBytes(attacked.pid!, "VmRSS"));
      }
      expect(attacked.pids).toEqual([attacked.pid]);
      expect(most - before).toBeLessThan(maxGrowth);
    },
  );
});

/** Sends a probe and returns the status. Repeats the probe if the server closes the connection before it responds, which a slow machine can cause. */
async function probe(port: number, path: string): Promise<number | undefined> {
  const askedAt = performance.now();
  try {
    const request = get({ host: "127.0.0.1", port, path, agent: false });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    await text(response);
    return response.statusCode;
  } catch (error) {
    if (performance.now() - askedAt < reservedProbeConnections.reservedMs) throw error;
    return probe(port, path);
  }
}
