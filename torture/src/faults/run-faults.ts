import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom, type SeededRandom } from "@reports/testing";
import { countFault } from "../load/ledger.ts";
import { closeLaneFault } from "./close-lane-fault.ts";
import { damageFileFault } from "./damage-file-fault.ts";
import type { FaultContext, StandFault } from "./fault.ts";
import { freezePostgresFault } from "./freeze-postgres-fault.ts";
import { jumpPostgresClockFault } from "./jump-postgres-clock-fault.ts";
import { killFaults } from "./kills.ts";
import { shortFaults } from "./short-faults.ts";
import { swapStoreFault } from "./swap-store-fault.ts";

/** Faults that last for a while or affect a part that all processes share. `chaos` injects them one at a time, in turn, with long pauses. */
const longFaults: readonly StandFault[] = [
  swapStoreFault,
  freezePostgresFault,
  closeLaneFault,
  damageFileFault,
  jumpPostgresClockFault,
];

export interface FaultPlan {
  readonly seed: number;
  readonly kills: number;
  /** Reports whether the kill with this number may happen now. It spreads the kills over the run. */
  mayKill(number: number): boolean;
  isOver(): boolean;
  readonly longestPauseMs: number;
  /** Pause in ms between two lasting faults. Infinity switches lasting faults off. */
  readonly longFaultPauseMs: number;
  readonly only: string;
}

export async function runFaults(
  context: Omit<FaultContext, "random">,
  plan: FaultPlan,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all([runKills(context, plan, signal), runDisturbances(context, plan, signal)]);
}

async function runKills(context: Omit<FaultContext, "random">, plan: FaultPlan, signal: AbortSignal): Promise<void> {
  const random = createSeededRandom(plan.seed, 2, 0);
  const chosen = killFaults.filter(({ name }) => name.includes(plan.only));
  while (chosen.length > 0 && context.ledger.kills < plan.kills && !signal.aborted) {
    await wait(random.integer(300, 2_500), undefined, { signal }).catch(() => undefined);
    if (signal.aborted || !plan.mayKill(context.ledger.kills + 1)) continue;
    if (await injectOne({ ...context, random }, chosen)) context.ledger.kills++;
  }
}

async function runDisturbances(
  context: Omit<FaultContext, "random">,
  plan: FaultPlan,
  signal: AbortSignal,
): Promise<void> {
  const random = createSeededRandom(plan.seed, 3, 0);
  const applies = ({ name, appliesTo }: StandFault): boolean =>
    name.includes(plan.only) && appliesTo?.(context.stand) !== false;
  const chosen = shortFaults.filter(applies);
  const lasting = Number.isFinite(plan.longFaultPauseMs) ? shuffleLongFaults(random, longFaults.filter(applies)) : [];
  const longFaultCount = lasting.length;
  let injected = 0;
  let pausedSince = Date.now();
  while (!signal.aborted) {
    await wait(random.integer(200, plan.longestPauseMs), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    // A lasting fault begins only after the short fault has ended, because its checks could not tell which of the two caused a failed start.
    if (lasting.length > 0 && Date.now() - pausedSince > plan.longFaultPauseMs) {
      const fault = lasting.shift()!;
      if (await injectOne({ ...context, random }, [fault])) pausedSince = Date.now();
      lasting.push(fault);
      injected++;
    } else if (chosen.length > 0 && !plan.isOver()) await injectOne({ ...context, random }, chosen);
    // After the load has ended, the loop continues only until every lasting fault has happened once.
    if (plan.isOver() && injected >= longFaultCount) return;
  }
}

/**
 * Returns the faults in random order, but the jump of Postgres's clock first. A short run has time for only one or two faults, and the jump must be
 * one.
 */
function shuffleLongFaults(random: SeededRandom, faults: readonly StandFault[]): StandFault[] {
  const ranked = faults.map((fault) => ({ fault, rank: fault === jumpPostgresClockFault ? -1 : random.next() }));
  return ranked.sort((one, other) => one.rank - other.rank).map(({ fault }) => fault);
}

async function injectOne(context: FaultContext, faults: readonly StandFault[]): Promise<boolean> {
  const fault = context.random.weighted(faults.map((candidate) => [candidate, candidate.weight] as const));
  const injected = await fault.inject(context);
  if (injected) countFault(context.ledger, fault.name);
  return injected;
}
