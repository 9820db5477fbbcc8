import { setTimeout as wait } from "node:timers/promises";
import { createRandom } from "@reports/testing";
import { countFault } from "../load/ledger.ts";
import type { FaultContext, StandFault } from "./fault.ts";
import { kills } from "./kills.ts";
import { weather } from "./weather.ts";

/** How much is broken. */
export interface FaultPlan {
  readonly seed: number;
  readonly kills: number;
  /** Whether the kill of this number may happen now: kills are spread over the reports. */
  mayKill(number: number): boolean;
  /** Longest pause between two faults that are no kill. */
  readonly longestPauseMs: number;
  readonly onFault: (name: string) => void;
}

/** Kills so often, and breaks other things at the same time; resolves when all is whole again. */
export async function runFaults(
  context: Omit<FaultContext, "random">,
  plan: FaultPlan,
  signal: AbortSignal,
): Promise<void> {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const weatherRandom = createRandom(plan.seed, 3, 0);
  const conditions = (async () => {
    while (!either.aborted) {
      await wait(weatherRandom.integer(200, plan.longestPauseMs), undefined, { signal: either }).catch(() => undefined);
      if (!either.aborted) await injectOne({ ...context, random: weatherRandom }, plan, weather);
    }
  })();
  const killRandom = createRandom(plan.seed, 2, 0);
  while (context.ledger.kills < plan.kills && !signal.aborted) {
    await wait(killRandom.integer(300, 2_500), undefined, { signal }).catch(() => undefined);
    if (signal.aborted || !plan.mayKill(context.ledger.kills + 1)) continue;
    if (await injectOne({ ...context, random: killRandom }, plan, kills)) context.ledger.kills++;
  }
  done.abort();
  await conditions;
}

async function injectOne(context: FaultContext, plan: FaultPlan, faults: readonly StandFault[]): Promise<boolean> {
  const fault = context.random.weighted(faults.map((candidate) => [candidate, candidate.weight] as const));
  const injected = await fault.inject(context);
  if (injected) {
    countFault(context.ledger, fault.name);
    plan.onFault(fault.name);
  }
  return injected;
}
