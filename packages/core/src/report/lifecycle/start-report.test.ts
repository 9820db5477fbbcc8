import { expect, test } from "vitest";
import { defineReportTypes } from "../types/define-report-types.ts";
import { startInputFromBody } from "../request/start-input.ts";
import type { NewReport } from "./report-store.ts";
import { startReport, unguardedStarts, type StartDeps } from "./start-report.ts";

const [type] = defineReportTypes([
  {
    authority: "REPORT_LOT",
    definition: {
      type: "LOT",
      version: 1,
      title: "Lots",
      columns: [{ key: "lot", title: "Lot", kind: "text" }],
      filters: [
        { name: "dueFrom", operator: "from", value: "date", columns: [], description: "First day." },
        { name: "seenFrom", operator: "from", value: "timestamp", columns: [], description: "First time." },
      ],
      rows: { kind: "objects", async *rows() {} },
    },
  },
]).reportTypes;

/** Returns the key by which a start at `now` is coalesced. */
async function coalesceKeyAt(now: string, searchParam: object): Promise<string> {
  const stored: NewReport[] = [];
  const reports: StartDeps["reports"] = {
    createQueued: async (report) => {
      stored.push(report);
      return {} as never;
    },
    findStarted: async () => null,
  };
  const deps: StartDeps = { ...unguardedStarts, reports, newId: () => "1" };
  const context = { principalId: "basic:ann", coalesce: true, traceparent: null, requiredAuthority: null };
  await startReport(
    deps,
    context,
    startInputFromBody(type!.definition, { reportType: "LOT", searchParam }, new Date(now)),
  );
  return stored[0]!.coalesceKey!;
}

test("coalescing compares the day of `now` in a filter of days, but not its instant", async () => {
  const keyAt = (now: string) => coalesceKeyAt(now, { dueFrom: "now-P1D" });
  expect(await keyAt("2026-08-19T23:59:59Z")).toBe(await keyAt("2026-08-19T00:00:00Z"));
  expect(await keyAt("2026-08-20T00:00:00Z")).not.toBe(await keyAt("2026-08-19T23:59:59Z"));
  const seenAt = (now: string) => coalesceKeyAt(now, { seenFrom: "now-P1D" });
  expect(await seenAt("2026-08-20T00:00:00Z")).toBe(await seenAt("2026-08-19T23:59:59Z"));
});

test("a run of a schedule by hand accepts unknown values, as the worker does", async () => {
  const refusal = new Error("There is no such value.");
  const deps: StartDeps = {
    ...unguardedStarts,
    reports: { createQueued: async () => ({}) as never, findStarted: async () => null },
    newId: () => "1",
    refuseUnknownValues: async () => Promise.reject(refusal),
  };
  const context = { principalId: "basic:ann", coalesce: false, traceparent: null, requiredAuthority: null };
  const input = startInputFromBody(type!.definition, { reportType: "LOT" }, new Date(0));
  await expect(startReport(deps, context, input)).rejects.toBe(refusal);
  const scheduleRun = { id: "2", scheduleId: "3", owner: "basic:bob" };
  await startReport(deps, { ...context, scheduleRun }, input);
});
