import type { ReportColumn } from "@reports/core/report";
import { expect, test } from "vitest";
import { createTestColumns } from "../rows.fixture.ts";
import { createBookmarkTitleFinder } from "./find-bookmark-title.ts";

const options = { groupBy: null, locale: "en", language: "en", timezone: "UTC" } as const;

function listBookmarks(
  column: ReportColumn,
  values: readonly (string | null)[],
  changes: Partial<Parameters<typeof createBookmarkTitleFinder>[1]> = {},
): (string | null)[] {
  const next = createBookmarkTitleFinder([column], { ...options, sort: [column.key], ...changes })!;
  return values.map((value) => next([value]));
}

const column = (kind: ReportColumn["kind"]): ReportColumn => createTestColumns({ a: kind })[0]!;

test("rows that are sorted by a time have a bookmark per month of their time zone", () => {
  const values = ["2026-10-31 23:30:00+00", "2026-11-01 00:00:00.5+00", "2026-12-01 00:00:00+00", "infinity", null];
  expect(listBookmarks(column("timestamp"), values)).toEqual([
    "October 2026",
    "November 2026",
    "December 2026",
    null,
    null,
  ]);
  const berlin = { timezone: "Europe/Berlin", locale: "de-DE", language: "de" } as const;
  expect(listBookmarks(column("timestamp"), values, berlin)).toEqual([
    "November 2026",
    null,
    "Dezember 2026",
    null,
    null,
  ]);
});

test("rows that are sorted by a text have one bookmark per letter without its accents", () => {
  const values = ["*.alpha", "Ägypten", "beta", "α", "avocado", "9", "--", "ß"];
  expect(listBookmarks(column("text"), values)).toEqual(["A", null, "B", "Α", null, "9", null, "SS"]);
});

test("rows that are sorted by words have a bookmark per word", () => {
  const health = { ...column("text"), titles: { DOWN: "Down", UP: "Up" } };
  expect(listBookmarks(health, ["DOWN", "DOWN", "UP"], { sort: ["-a"] })).toEqual(["Down", null, "Up"]);
});

test("rows that are sorted by numbers or by a hidden column have no bookmarks", () => {
  expect(createBookmarkTitleFinder([column("integer")], { ...options, sort: ["a"] })).toBeNull();
  expect(createBookmarkTitleFinder([column("text")], { ...options, sort: ["other"] })).toBeNull();
  expect(createBookmarkTitleFinder([column("text")], { ...options, sort: [] })).toBeNull();
});
