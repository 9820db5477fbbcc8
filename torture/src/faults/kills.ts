import { setTimeout as wait } from "node:timers/promises";
import { signalIfRunning, type StandProcess } from "@reports/testing";
import { listRendererPids } from "../stand/renderers.ts";
import { poisonTypeNames } from "../report-types.ts";
import type { FaultContext, StandFault } from "./fault.ts";

interface HeldAttempt {
  readonly id: string;
  readonly attempt: number;
  /**
   * Whether one more loss would correctly fail the report: it has failures or several losses, or is in quarantine. Always false for poison pills,
   * because they should fail.
   */
  readonly fragile: boolean;
}

export async function findAttemptsOfWorker(
  { stand }: Pick<FaultContext, "stand">,
  pid: number,
): Promise<readonly HeldAttempt[]> {
  return stand.retryingSql<HeldAttempt[]>`
    select id, attempt,
      report_type <> all (${[...poisonTypeNames]}) and (failures > 0 or losses > 1 or lane = 'suspect') as fragile
    from reports where status = 'RUNNING' and worker_id like ${`%:${pid}:%`}`;
}

/** Returns a running worker, preferably one with reports. Skips workers with a fragile report, because the kill would correctly fail that report. */
async function pickWorkerToKill(
  context: FaultContext,
): Promise<{ worker: StandProcess; pid: number; held: readonly HeldAttempt[] } | null> {
  const running = context.stand.workers.filter(({ pid }) => pid !== null);
  const candidates = await Promise.all(
    running.map(async (worker) => {
      const pid = worker.pid!;
      return { worker, pid, held: await findAttemptsOfWorker(context, pid) };
    }),
  );
  const fair = candidates.filter(({ held }) => held.every(({ fragile }) => !fragile));
  const busy = fair.filter(({ held }) => held.length > 0);
  const among = busy.length > 0 ? busy : fair;
  return among.length === 0 ? null : context.random.pick(among);
}

export const killWorkerFault: StandFault = {
  name: "SIGKILL worker",
  weight: 5,
  async inject(context) {
    const victim = await pickWorkerToKill(context);
    if (victim === null) return false;
    const at = Date.now();
    const renderers = listRendererPids(victim.pid);
    if (victim.worker.pid !== victim.pid || victim.worker.signal("SIGKILL") === null) return false;
    context.ledger.losses.push({ kind: this.name, at, held: victim.held });
    context.ledger.orphanedRenderers.push(...renderers);
    return true;
  },
};

const killRenderer: StandFault = {
  name: "SIGKILL renderer",
  weight: 3,
  async inject(context) {
    const victim = await pickWorkerToKill(context);
    if (victim === null) return false;
    const renderers = listRendererPids(victim.pid);
    if (renderers.length === 0) return false;
    try {
      process.kill(context.random.pick(renderers), "SIGKILL");
      return true;
    } catch {
      return false;
    }
  },
};

const killApi: StandFault = {
  name: "SIGKILL api",
  weight: 2,
  inject: async ({ stand, random }) => random.pick(stand.apis).signal("SIGKILL") !== null,
};

export const killFaults: readonly StandFault[] = [killWorkerFault, killRenderer, killApi];

export const freezeWorkerFault: StandFault = {
  name: "SIGSTOP worker",
  weight: 3,
  async inject(context) {
    const victim = await pickWorkerToKill(context);
    if (victim === null || victim.worker.signal("SIGSTOP") === null) return false;
    const at = Date.now();
    const frozenMs = context.random.chance(0.3)
      ? context.random.integer(30_000, 45_000)
      : context.random.integer(1_000, 12_000);
    await wait(frozenMs);
    signalIfRunning(victim.pid, "SIGCONT");
    if (frozenMs > 30_000) context.ledger.losses.push({ kind: this.name, at, held: victim.held });
    return true;
  },
};

/** Freezes a worker until another attempt of its report runs, then resumes it. None of its later writes may change the report. */
export const freezeUntilOvertakenFault: StandFault = {
  name: "SIGSTOP worker until overtaken",
  weight: 1,
  async inject(context) {
    const { stand, ledger } = context;
    const victim = await pickWorkerToKill(context);
    if (victim === null) return false;
    const [steady] = await stand.retryingSql<HeldAttempt[]>`
      select id, attempt from reports where report_type = 'TORTURE_STEADY' and status = 'RUNNING' and worker_id like ${`%:${victim.pid}:%`}`;
    if (steady === undefined) return false;
    const at = Date.now();
    if (victim.worker.signal("SIGSTOP") === null) return false;
    ledger.losses.push({ kind: this.name, at, held: victim.held });
    const { id, attempt } = steady;
    const endsAt = at + 90_000;
    for (;;) {
      const [row] = await stand.retryingSql<{ open: boolean; overtaken: boolean }[]>`
        select status in ('QUEUED', 'RUNNING') as open, status = 'RUNNING' and attempt > ${attempt} and rows_done > 0 as overtaken
        from reports where id = ${id}`;
      if (row?.overtaken === true || row?.open !== true || Date.now() > endsAt) break;
      await wait(100);
    }
    signalIfRunning(victim.pid, "SIGCONT");
    return true;
  },
};

export const terminateWorkerFault: StandFault = {
  name: "SIGTERM worker",
  weight: 2,
  inject: async ({ stand, random }) => random.pick(stand.workers).signal("SIGTERM") !== null,
};
