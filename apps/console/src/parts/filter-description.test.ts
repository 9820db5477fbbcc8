import type { ReportType } from "@reports/client";
import { expect, test } from "vitest";
import { describeFilters } from "./filter-description.ts";

const time = { anyOf: [{ type: "string", format: "date-time" }] };
const day = { anyOf: [{ type: "string", format: "date" }] };
const column = { kind: "text", titles: {}, meanings: {}, sortable: true, groupable: false, expires: false } as const;
const type = {
  searchParam: {
    properties: {
      severity: { type: "string", enum: ["EXPIRED", "WARN"] },
      forced: { type: "boolean" },
      endsFrom: time,
      endsTo: time,
      seenTo: time,
      dueFrom: day,
      dueTo: day,
      paid: { anyOf: [{ type: "array", items: day }, day] },
    },
  },
  columns: [
    { ...column, key: "severity", title: "Severity", titles: { EXPIRED: "Expired", WARN: "Expiring soon" } },
    { ...column, key: "ends", title: "Ends", expires: true },
  ],
} as unknown as ReportType;

test("describeFilters shows codes by title, and a range of times as one text", () => {
  const words = (searchParam: Record<string, unknown>) =>
    describeFilters(searchParam, type).map(({ label, texts }) => `${label}: ${texts.join(" or ")}`);
  expect(words({ endsTo: "now+P30D", severity: ["EXPIRED", "WARN"], endsFrom: "now", forced: false })).toEqual([
    "Severity: Expired or Expiring soon",
    "Forced: No",
    "Ends: within 30 days",
  ]);
  expect(words({ dueFrom: "2026-01-01", dueTo: "2026-02-01", paid: ["2026-03-01", "today"] })).toEqual([
    "Due: from 1 Jan to 31 Jan 2026",
    "Paid: 1 Mar 2026 or today",
  ]);
  expect(words({ endsTo: "now" })).toEqual(["Ends: expired"]);
  expect(words({ seenTo: "now-P7D", lost: [1, 2] })).toEqual(["Seen, before: 7 days ago", "Lost: 1 or 2"]);
});
