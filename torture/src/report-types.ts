import { setTimeout as wait } from "node:timers/promises";
import { reportFormats } from "@reports/core/report";
import { defineReportTypes, type ObjectRow, type RegisteredReportType } from "@reports/core/report-type";
import { hitFailpoint } from "./failpoints.ts";

export const tortureAuthority = "REPORT_TORTURE";

const steadyRows = 60;
const bulkRows = 150_000;

function tortureType(type: string, rows: (signal: AbortSignal) => AsyncIterable<ObjectRow>): RegisteredReportType {
  const maxRows = 10_000_000;
  return {
    authority: tortureAuthority,
    definition: {
      type,
      version: 1,
      title: type,
      description: "Made by the torture harness.",
      filters: [],
      columns: [
        { key: "number", title: "Number", kind: "integer", width: 10 },
        { key: "text", title: "Text", kind: "text", width: 40 },
      ],
      pdfColumns: ["number", "text"],
      where: [],
      prominentFilters: [],
      defaultSort: [{ key: "number", descending: false }],
      groupable: [],
      formats: Object.fromEntries(reportFormats.map((format) => [format, { maxRows }])),
      summary: { figures: [], charts: [] },
      rows: { kind: "objects", rows: ({ signal }) => rows(signal) },
    },
  };
}

/** A type whose report takes about 2.5 s, so that faults happen while it runs. Its rows are always the same. */
export const steadyType = tortureType("TORTURE_STEADY", async function* steady(signal) {
  for (let number = 1; number <= steadyRows; number++) {
    await wait(40, undefined, { signal });
    hitFailpoint("rendering");
    yield { number, text: `row ${number} of ${steadyRows}` };
  }
});

/** A type whose file has about 10 MB, so that a download takes a while. */
export const largeType = tortureType("TORTURE_LARGE", async function* large() {
  for (let number = 1; number <= bulkRows; number++) yield { number, text: `${number}`.padStart(60, "large ") };
});

export const bulkType = tortureType("TORTURE_BULK", async function* bulk() {
  for (let number = 1; number <= 2 * bulkRows; number++) yield { number, text: `${number}`.padStart(60, "bulk ") };
});

/** A report type that only instances of a newer version know. next-report-types.ts registers it. */
export const newerVersionType = tortureType("TORTURE_NEXT", async function* next() {
  yield { number: 1, text: "known at last" };
});

export const memoryPoisonType = tortureType("TORTURE_POISON_MEMORY", async function* memory() {
  const hoard: number[][] = [];
  yield { number: 0, text: "the first" };
  for (;;) hoard.push(Array<number>(1_000_000).fill(0.5));
});

export const loopPoisonType = tortureType("TORTURE_POISON_LOOP", async function* loop() {
  yield { number: 0, text: "the first" };
  for (;;);
});

export const crashPoisonType = tortureType("TORTURE_POISON_CRASH", async function* crash() {
  yield { number: 0, text: "the first" };
  process.kill(process.pid, "SIGSEGV");
});

/** Name of the report type with half of its rows on a second Postgres (the shard). sharded-report-types.ts registers it. */
export const shardedTypeName = "TORTURE_SHARDED";

export const poisonTypeNames = [memoryPoisonType, crashPoisonType, loopPoisonType].map(
  ({ definition }) => definition.type,
);

/** @public A module that REPORT_TYPES names exports its types as default. */
// oxlint-disable-next-line import/no-default-export
export default defineReportTypes([steadyType, largeType, bulkType, memoryPoisonType, loopPoisonType, crashPoisonType]);
