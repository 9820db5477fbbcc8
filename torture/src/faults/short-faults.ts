import { setTimeout as wait } from "node:timers/promises";
import { storageFullFault, type ProxyFault, type FaultProxy } from "@reports/testing";
import { freezeUntilOvertakenFault, freezeWorkerFault, terminateWorkerFault } from "./kills.ts";
import type { FaultContext, StandFault } from "./fault.ts";

type Target = "database" | "store";

function proxyOf({ stand }: FaultContext, target: Target): FaultProxy | null {
  return target === "database" ? stand.database.proxy : stand.store.proxy;
}

function network(
  target: Target,
  name: string,
  weight: number,
  longestMs: number,
  choose: (context: FaultContext) => ProxyFault,
): StandFault {
  return {
    name: `${target}: ${name}`,
    weight,
    async inject(context) {
      const proxy = proxyOf(context, target);
      if (proxy === null) return false;
      await proxy.set(choose(context));
      await wait(context.random.integer(500, longestMs));
      await proxy.set({ kind: "none" });
      return true;
    },
  };
}

const networkFaults = (["database", "store"] as const).flatMap((target) => [
  network(target, "delayed", 1, 6_000, ({ random }) => ({ kind: "delay", ms: random.integer(20, 250) })),
  network(target, "black-holed", 2, 12_000, () => ({ kind: "black-hole" })),
  network(target, "refused", 2, 5_000, () => ({ kind: "refuse" })),
  network(target, "reset in mid-stream", 2, 3_000, ({ random }) => ({
    kind: "reset",
    direction: random.pick(["to-upstream", "to-client"] as const),
    afterBytes: random.integer(0, 20_000),
  })),
  {
    name: `${target}: connections cut`,
    weight: 2,
    async inject(context: FaultContext) {
      const proxy = proxyOf(context, target);
      proxy?.cut();
      return proxy !== null;
    },
  },
]);

const errorResponses = [
  network("store", "answers 500", 1, 5_000, () => ({ kind: "answer", status: 500 })),
  network("store", "answers 503", 1, 5_000, () => ({ kind: "answer", status: 503 })),
  network("store", "full", 1, 5_000, () => storageFullFault),
  network("store", "1 KB/s", 1, 5_000, () => ({ kind: "throttle", bytesPerSecond: 1024 })),
];

const postgresCrashes = (
  [
    ["Postgres restarted immediately", "immediate"],
    ["Postgres killed with all its processes", "kill"],
  ] as const
).map(([name, mode]): StandFault => ({
  name,
  weight: 1,
  async inject({ stand }) {
    await stand.database.restart(mode);
    return true;
  },
}));

const terminateBackends: StandFault = {
  name: "Postgres backends terminated",
  weight: 2,
  async inject({ stand }) {
    await stand.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() and random() < 0.5`.catch(() => undefined);
    return true;
  },
};

const restartMinio: StandFault = {
  name: "MinIO killed and restarted",
  weight: 3,
  async inject({ stand }) {
    if (stand.store.restart === null) return false;
    await stand.store.restart();
    return true;
  },
};

const fullDisk: StandFault = {
  name: "disk full under the file store",
  weight: 6,
  async inject({ stand, random }) {
    if (stand.store.fill === null) return false;
    const restore = await stand.store.fill();
    await wait(random.integer(1_000, 10_000));
    await restore();
    return true;
  },
};

const loseLease: StandFault = {
  name: "lease taken away",
  weight: 2,
  async inject({ stand }) {
    const taken = await stand.sql`
      update reports set lease_expires_at = clock_timestamp() - interval '1 second'
      where status = 'RUNNING' and deleted_at is null and lane <> 'suspect'`.catch(() => null);
    if (taken === null || taken.count === 0) return false;
    await stand.database.rescueNow();
    return true;
  },
};

const jumpWorkerClock: StandFault = {
  name: "worker's clock jumps",
  weight: 4,
  appliesTo: ({ clocks }) => clocks.size > 0,
  async inject({ stand, random }) {
    const offsets = stand.clockOffsetsSeconds;
    const clock = random.pick([...stand.clocks.values()]);
    const others = offsets.filter((seconds) => seconds !== clock.offsetSeconds);
    if (others.length === 0) return false;
    clock.set(random.pick(others));
    return true;
  },
};

export const shortFaults: readonly StandFault[] = [
  ...networkFaults,
  ...errorResponses,
  ...postgresCrashes,
  terminateBackends,
  restartMinio,
  fullDisk,
  loseLease,
  freezeWorkerFault,
  freezeUntilOvertakenFault,
  terminateWorkerFault,
  jumpWorkerClock,
];
