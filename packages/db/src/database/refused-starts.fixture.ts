import { CommitOutcomeUnknownError, StoreUnavailableError } from "@reports/core/base";
import { unlimitedStarts } from "@reports/core/report";
import { makeNewReport, waitFor } from "@reports/testing";
import type { Sql } from "postgres";
import { expect } from "vitest";
import { createReportStore } from "../reports/report-store.ts";
import { createDatabase } from "./database.ts";
import { createWriteCheck } from "./write-probe.ts";

/**
 * Starts reports before, while and after COMMITs of the server wait for a standby. `delay` makes them wait and returns a function that ends this.
 * Returns the IDs of refused reports that exist later.
 */
export async function findRefusedStarts(
  { url, owner, deadlineMs }: { readonly url: string; readonly owner: Sql; readonly deadlineMs: number },
  delay: () => Promise<() => Promise<unknown>>,
): Promise<readonly string[]> {
  const database = createDatabase({ url, max: 4, deadlineMs, commitWaitMs: 120_000 });
  const probe = createWriteCheck(database, { everyMs: 0, retryMs: 0, maxWriteMs: deadlineMs });
  const isWritable = () =>
    probe().then(
      () => true,
      () => false,
    );
  const readIds = async (): Promise<ReadonlySet<string>> =>
    new Set((await owner<{ id: string }[]>`select id from reports`).map(({ id }) => id));
  const store = createReportStore(database);
  const outcomes = new Map<string, unknown>();
  const start = async (requestedBy: string): Promise<void> => {
    const report = makeNewReport({ requestedBy });
    await store.createQueued(report, unlimitedStarts).then(
      () => outcomes.set(report.id, "started"),
      (error: unknown) => outcomes.set(report.id, error),
    );
  };
  const wave = async (): Promise<readonly unknown[]> => {
    outcomes.clear();
    const callers = Array.from({ length: 20 }, (_, number) => `basic:caller-${Math.max(0, number - 10)}`);
    await Promise.all(callers.map(start));
    return [...outcomes.values()];
  };
  const isWaveStarted = async () => (await wave()).every((outcome) => outcome === "started");
  const refusedBefore = async (): Promise<string[]> => {
    const ids = await readIds();
    return [...outcomes].flatMap(([id, outcome]) =>
      ids.has(id) && outcome instanceof StoreUnavailableError && !(outcome instanceof CommitOutcomeUnknownError)
        ? [id]
        : [],
    );
  };
  try {
    await waitFor(isWaveStarted, { what: "all starts to succeed" });
    await waitFor(isWritable, { what: "a write" });

    const release = await delay();
    let first: ReadonlyMap<string, unknown>;
    try {
      const answers = await wave();
      expect(answers.every((answer) => answer instanceof StoreUnavailableError)).toBe(true);
      expect(answers.some((answer) => answer instanceof CommitOutcomeUnknownError)).toBe(true);
      first = new Map(outcomes);
      const later = await wave();
      expect(later.every((answer) => answer instanceof StoreUnavailableError)).toBe(true);
      expect(later.filter((answer) => answer instanceof CommitOutcomeUnknownError)).toEqual([]);
      await waitFor(async () => !(await isWritable()), { what: "the probe to fail" });
    } finally {
      await release();
    }
    await waitFor(isWritable, { what: "writes again" });
    const isIdle = async () =>
      (
        await owner`select from pg_stat_activity where wait_event = 'SyncRep' or state = 'active' and pid <> pg_backend_pid() and backend_type = 'client backend'`
      ).length === 0;
    await waitFor(isIdle, { what: "Postgres to finish" });
    const existing = await refusedBefore();
    outcomes.clear();
    for (const [id, outcome] of first) outcomes.set(id, outcome);
    existing.push(...(await refusedBefore()));
    await waitFor(isWaveStarted, { what: "all starts to succeed again" });
    return existing;
  } finally {
    await database.close();
  }
}
