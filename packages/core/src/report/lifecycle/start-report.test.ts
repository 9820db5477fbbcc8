import { expect, test } from "vitest";
import { defineReportTypes } from "../types/define-report-types.ts";
import { fillDefinitionDefaults } from "../types/fill-definition-defaults.ts";
import type { ReportTypeInput } from "../types/report-type-input.ts";
import { startInputFromBody, type StartInput } from "../request/start-input.ts";
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

test("coalescing ignores the instant of `now`, but compares its day in date filters", async () => {
  const keyAt = (now: string) => coalesceKeyAt(now, { dueFrom: "now-P1D" });
  expect(await keyAt("2026-08-19T23:59:59Z")).toBe(await keyAt("2026-08-19T00:00:00Z"));
  expect(await keyAt("2026-08-20T00:00:00Z")).not.toBe(await keyAt("2026-08-19T23:59:59Z"));
  const seenAt = (now: string) => coalesceKeyAt(now, { seenFrom: "now-P1D" });
  expect(await seenAt("2026-08-20T00:00:00Z")).toBe(await seenAt("2026-08-19T23:59:59Z"));
});

test("a manual run of a schedule accepts unknown filter values, but a start does not", async () => {
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

async function fingerprintOf(definition: StartInput["definition"], body: object): Promise<string | undefined> {
  const stored: (string | undefined)[] = [];
  const reports: StartDeps["reports"] = {
    createQueued: async (_report, _limits, claim) => {
      stored.push(claim?.fingerprint);
      return {} as never;
    },
    findStarted: async () => null,
  };
  const once = { endpoint: "createReport", key: "1", answerOf: () => "" };
  const context = { principalId: "basic:ann", coalesce: false, traceparent: null, requiredAuthority: null, once };
  const input = startInputFromBody(definition, { reportType: "LOT", ...body }, new Date(0));
  await startReport({ ...unguardedStarts, reports, newId: () => "1" }, context, input);
  return stored[0];
}

test("a start of a type without renames has the hash that older releases stored", async () => {
  const start = { searchParam: { seenFrom: "now-P1D", dueFrom: "today" }, sort: ["-lot"], format: "csv" };
  expect(await fingerprintOf(type!.definition, start)).toBe(
    "d1b3d8fa87428f03d90a0d21f9335876228c45c8bd6617019b9ed1f28606311a",
  );
});

test("renames and new defaults of a report type do not change the hash of a start", async () => {
  const description = "A filter.";
  const versionOf = (
    lot: readonly string[],
    due: readonly string[],
    defaults: Readonly<Record<"until" | "due", string>> | null,
  ) =>
    fillDefinitionDefaults({
      type: "LOT",
      version: 1,
      title: "Lots",
      columns: [
        { key: lot[0]!, title: "Lot", kind: "text", ...(lot.length > 1 && { formerly: lot.slice(1) }) },
        { key: "size", title: "Size", kind: "integer" },
      ],
      filters: [
        {
          name: due[0]!,
          operator: "from",
          value: "date",
          columns: [],
          description,
          ...(due.length > 1 && { formerly: due.slice(1) }),
          ...(defaults && { default: defaults.due }),
        },
        { name: "size", operator: "from", value: "integer", columns: [], description },
        {
          name: "until",
          operator: "to",
          value: "date",
          columns: [],
          description,
          ...(defaults && { default: defaults.until }),
        },
      ],
      groupable: [lot[0]!],
      rows: { kind: "objects", async *rows() {} },
    } satisfies ReportTypeInput);
  const versions = [
    versionOf(["lot"], ["due"], null),
    versionOf(["batch", "lot"], ["term", "due"], { until: "today+P1D", due: "today" }),
    versionOf(["charge", "lot", "batch"], ["aim", "due", "term"], { until: "today+P2D", due: "today-P1D" }),
  ];
  const bodies = [
    { searchParam: { due: "today", size: 1 }, columns: ["lot", "size"], sort: ["-lot"], groupBy: "lot" },
    { searchParam: { size: 1 } },
    {},
  ];
  const hashes = await Promise.all(
    bodies.map(async (body) => Promise.all(versions.map(async (version) => fingerprintOf(version, body)))),
  );
  for (const [first, ...later] of hashes) expect(later).toEqual([first, first]);
  expect(new Set(hashes.flat()).size).toBe(bodies.length);
  const renamed = {
    searchParam: { aim: "today", size: 1 },
    columns: ["charge", "size"],
    sort: ["-charge"],
    groupBy: "charge",
  };
  expect(await fingerprintOf(versions[2]!, renamed)).toBe(hashes[0]![0]);
});
