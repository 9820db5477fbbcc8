import { setTimeout as wait } from "node:timers/promises";
import type { SeededRandom, StandProcess } from "@reports/testing";
import type { LoadClient } from "../load/load-client.ts";
import { createInvariantResult, type InvariantResult } from "../check/invariant-result.ts";
import { countFault, findRecordedViolations, type Ledger } from "../load/ledger.ts";
import { csvVariants } from "../load/report-variants.ts";
import { repeatEvery } from "../stand/repeat-every.ts";
import { spoolBreakKinds, type BreakableSpool, type SpoolBreakKind } from "../stand/breakable-spool.ts";
import type { TortureStand } from "../stand/torture-stand.ts";

export const spoolWorkerName = "spool-worker";

const shortestMs = 25_000;
const longestMs = 35_000;
/** Maximum ms until the worker reports a broken spool. It notices the break only when a report or a probe uses the spool. */
const noticedMs = 20_000;
/** Maximum ms from the repair until the worker has made a report. Another fault may kill the worker in this time, and it must restart. */
const resumedMs = 120_000;
/** Maximum failed attempts per break. Those that run when the spool breaks fail, and a few that probe the spool. */
const maxFailedAttempts = 10;
const pollIntervalMs = 500;

interface BreakContext {
  readonly stand: Pick<TortureStand, "workers">;
  readonly spool: BreakableSpool;
  readonly caller: LoadClient;
  readonly ledger: Ledger;
  readonly random: SeededRandom;
}

export async function breakSpoolRepeatedly(breaking: BreakContext, signal: AbortSignal): Promise<void> {
  const { random } = breaking;
  for (const by of spoolBreakKinds) {
    if (signal.aborted) return;
    await breakFor(breaking, by, AbortSignal.any([signal, AbortSignal.timeout(random.integer(shortestMs, longestMs))]));
  }
  if (!signal.aborted) await breakFor(breaking, "read-only", signal);
}

function workerOf({ stand }: BreakContext): StandProcess {
  return stand.workers.find(({ name }) => name === spoolWorkerName)!;
}

async function breakFor(breaking: BreakContext, by: SpoolBreakKind, over: AbortSignal): Promise<void> {
  const { spool, ledger } = breaking;
  const worker = workerOf(breaking);
  const breach = (what: string): void =>
    void ledger.breaches.push({ name: "W1", reportId: null, what: `(${by}) ${what}` });
  using attempts = countAttempts(worker);
  const from = Date.now();
  const repair = await spool.break(by);
  countFault(ledger, faultOf(by));
  try {
    // The worker creates a removed folder again and continues, so the break has no effect that could be checked.
    if (by === "removed") return;
    let readyAt: number | null = null;
    let hasNamedSpool = false;
    while (!over.aborted) {
      const askedAt = Date.now();
      const { status, namesSpool } = await readiness(worker);
      if (status === 503 && namesSpool) hasNamedSpool = true;
      // An answer can arrive long after the worker has sent it. So only the time of the question counts.
      if (status === 200 && askedAt - from > noticedMs) readyAt ??= askedAt;
      await wait(pollIntervalMs, undefined, { signal: over }).catch(() => undefined);
    }
    const lastedMs = Date.now() - from;
    if (readyAt !== null)
      breach(`the worker reported ready ${Math.round((readyAt - from) / 1_000)} s after its spool had broken`);
    if (!hasNamedSpool && lastedMs > noticedMs) breach("the worker's readiness never named the spool");
    const { unsuccessful } = attempts;
    if (unsuccessful > maxFailedAttempts) {
      breach(`the worker claimed ${unsuccessful} reports that failed within ${Math.round(lastedMs / 1_000)} s`);
    }
  } finally {
    await repair();
    if (!(await makesReports(breaking)))
      breach(`the worker made no report within ${resumedMs / 1_000} s of the repair`);
  }
}

export function checkSpoolBreaks(ledger: Pick<Ledger, "breaches" | "faults">): readonly InvariantResult[] {
  const times = spoolBreakKinds.reduce((sum, by) => sum + (ledger.faults.get(faultOf(by)) ?? 0), 0);
  if (times === 0) return [];
  return [
    createInvariantResult(
      "W1",
      "a worker with a broken spool claims few reports, is not ready, and makes reports again after the repair",
      `${times} times broken`,
      findRecordedViolations(ledger, "W1"),
    ),
  ];
}

function faultOf(by: SpoolBreakKind): string {
  return `spool ${by}`;
}

async function makesReports(breaking: BreakContext): Promise<boolean> {
  const { caller, ledger, random } = breaking;
  using attempts = countAttempts(workerOf(breaking));
  const from = Date.now();
  for (let number = 1; Date.now() - from < resumedMs; number++) {
    const variant = random.pick(csvVariants);
    const key = `spool-${from}-${number}`;
    const id = await caller.start(variant.request, key);
    ledger.entries.set(id, { id, key, variant });
    await wait(1_000);
    if (attempts.successful > 0) return true;
  }
  return false;
}

/** Counts the attempts of the worker from its metrics until disposed. Misses the attempts of a killed process since the last poll. */
function countAttempts(
  worker: StandProcess,
): Disposable & { readonly successful: number; readonly unsuccessful: number } {
  const sums = { successful: 0, unsuccessful: 0 };
  let last: typeof sums | null = null;
  const repetition = repeatEvery(pollIntervalMs, async () => {
    const seen = await readAttempts(worker);
    if (last !== null) {
      for (const kind of ["successful", "unsuccessful"] as const) {
        // A restarted process counts from 0 again, so a smaller number is entirely new.
        sums[kind] += seen[kind] >= last[kind] ? seen[kind] - last[kind] : seen[kind];
      }
    }
    last = seen;
  });
  return Object.assign(sums, repetition);
}

async function readAttempts(worker: StandProcess): Promise<{ successful: number; unsuccessful: number }> {
  const response = await fetch(`${worker.origin}/metrics`, { signal: AbortSignal.timeout(2_000) });
  const text = await response.text();
  if (!response.ok) throw new Error(`The worker answered ${response.status}.`);
  const sums = { successful: 0, unsuccessful: 0 };
  for (const [, name, labels, value] of text.matchAll(/^(reports?_\w+)\{([^}]*)\} (\d+)$/gm)) {
    if (name === "report_attempts_total")
      sums[labels!.includes('outcome="succeeded"') ? "successful" : "unsuccessful"] += Number(value);
    // An attempt that fails because of its worker's host counts here. Other causes, such as an unreachable source, are not the spool's.
    if (name === "reports_handed_back_total" && labels!.includes('cause="WORKER_IMPAIRED"'))
      sums.unsuccessful += Number(value);
  }
  return sums;
}

async function readiness(worker: StandProcess): Promise<{ readonly status: number; readonly namesSpool: boolean }> {
  try {
    const response = await fetch(`${worker.origin}/health/ready`, { signal: AbortSignal.timeout(2_000) });
    const { checks } = (await response.json()) as { checks: Readonly<Record<string, { readonly status: string }>> };
    return { status: response.status, namesSpool: checks.spool !== undefined && checks.spool.status !== "ok" };
  } catch {
    // No response: the worker is not running or not yet listening.
    return { status: 0, namesSpool: false };
  }
}
