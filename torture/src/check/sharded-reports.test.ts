import { expect, test } from "vitest";
import { checkShardedReports, type ShardedReport } from "./sharded-reports.ts";

const whole: ShardedReport = { id: "one", rowCount: 80, warningCodes: ["SNAPSHOT_NOT_GLOBAL"] };
const violations = (...reports: readonly ShardedReport[]) =>
  checkShardedReports(reports, 1).violations.map(({ reportId, what }) => `${reportId} ${what}`);

test("checkShardedReports accepts a report with all rows and the warning", () => {
  expect(violations(whole, { ...whole, warningCodes: ["DATA_BEHIND", "SNAPSHOT_NOT_GLOBAL"] })).toEqual([]);
});

test("checkShardedReports reports missing rows and a missing SNAPSHOT_NOT_GLOBAL", () => {
  expect(violations({ ...whole, rowCount: 40 }, { ...whole, id: "two", warningCodes: [] })).toEqual([
    "one has 40 rows, not 80",
    "two lacks the warning SNAPSHOT_NOT_GLOBAL",
  ]);
});

test("checkShardedReports reports a torture run without a report of the sharded source", () => {
  expect(checkShardedReports([], 1).violations).toEqual([
    { reportId: null, what: "no report of the sharded source SUCCEEDED" },
  ]);
});
