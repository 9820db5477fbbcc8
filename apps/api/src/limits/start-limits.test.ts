import { expect, test } from "vitest";
import { createStartLimitsLookup, startLimitsSchema } from "./start-limits.ts";

const usual = { perMinute: 20, unfinished: 5 };
const of = (text: string, ...authorities: string[]) =>
  createStartLimitsLookup(usual, startLimitsSchema.parse(text))({ authorities: new Set(authorities) });

test("an authority in START_LIMITS has its own limits, and others have the usual ones", () => {
  const text = "SERVICE_BATCH:2000/min:200, scope:reports.batch:50/min:0";
  expect(of(text, "SERVICE_BATCH")).toEqual({ perMinute: 2_000, unfinished: 200 });
  expect(of(text, "REPORT_PROXY", "scope:reports.batch")).toEqual({ perMinute: 50, unfinished: 0 });
  expect(of(text, "REPORT_PROXY", "SERVICE_BATCH2", "service_batch")).toEqual(usual);
  expect(of(text)).toEqual(usual);
});

test("with several authorities in START_LIMITS, the largest value of each limit counts", () => {
  const text = "A:10/min:300,B:2000/min:2,C:0/min:1";
  expect(of(text, "A")).toEqual({ perMinute: 10, unfinished: 300 });
  expect(of(text, "A", "B")).toEqual({ perMinute: 2_000, unfinished: 300 });
  expect(of(text, "A", "B", "C")).toEqual({ perMinute: 0, unfinished: 300 });
});

test.each([
  ["SERVICE_BATCH", "SERVICE_BATCH"],
  ["SERVICE_BATCH:2000", "SERVICE_BATCH:2000"],
  ["SERVICE_BATCH:2000/s:200", "SERVICE_BATCH:2000/s:200"],
  ["SERVICE_BATCH:-1/min:200", "SERVICE_BATCH:-1/min:200"],
  ["SERVICE_BATCH:2000/min:100001", "SERVICE_BATCH:2000/min:100001"],
  [":2000/min:200", ":2000/min:200"],
  ["A:1/min:1,A:2/min:2", "A:2/min:2"],
  ["A:1/min:1,B,C:2/min", "B, C:2/min"],
])("START_LIMITS=%s is refused, and the error names the wrong entries", (text, wrong) => {
  const { error } = startLimitsSchema.safeParse(text);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    `must be AUTHORITY:STARTS/min:UNFINISHED, such as SERVICE_BATCH:2000/min:200, several of them separated by commas, each authority once, numbers from 0 (no limit) to 100000; wrong: ${wrong}`,
  ]);
});
