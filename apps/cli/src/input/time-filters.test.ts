import type { ReportType } from "@reports/client";
import { expect, test } from "vitest";
import { translateTimeWords } from "./time-filters.ts";

const time = { anyOf: [{ type: "string", format: "date-time" }, { type: "string" }] };
const day = { anyOf: [{ type: "string", format: "date" }, { type: "string" }] };
const type = {
  searchParam: {
    properties: {
      certNotAfterFrom: time,
      certNotAfterTo: time,
      createdFrom: time,
      createdTo: time,
      dueFrom: day,
      dueTo: day,
      paid: { anyOf: [{ type: "array", items: day }, day] },
      portFrom: { type: "integer" },
      name: { type: "string" },
    },
  },
  columns: [{ key: "certNotAfter", expires: true }],
} as unknown as ReportType;

async function translate(given: Readonly<Record<string, readonly string[]>>) {
  const lines: string[] = [];
  let reads = 0;
  const readType = async (): Promise<ReportType> => {
    reads++;
    return type;
  };
  const filters = await translateTimeWords(given, {
    readType,
    timezone: "Europe/Berlin",
    say: (line) => lines.push(line),
  });
  return { filters, lines, reads };
}

test("times in words are sent in the API's grammar, and a line prints each of them", async () => {
  expect(await translate({ certNotAfterTo: ["30d"], createdFrom: ["7d"], name: ["today"] })).toEqual({
    filters: { certNotAfterTo: ["now+P30D"], createdFrom: ["now-P7D"], name: ["today"] },
    lines: ["certNotAfterTo=now+P30D: in 30 days", "createdFrom=now-P7D: 7 days ago"],
    reads: 1,
  });
});

test("a filter name without From or To sets both ends of its range", async () => {
  const { filters } = await translate({ certNotAfter: ["within 30 days"] });
  expect(filters).toEqual({ certNotAfterFrom: ["now"], certNotAfterTo: ["now+P30D"] });
  expect((await translate({ created: ["1.1.2026 to 31.1.2026"] })).filters).toEqual({
    createdFrom: ["2026-01-01T00:00:00+01:00"],
    createdTo: ["2026-02-01T00:00:00+01:00"],
  });
});

test("dates in day filters are sent in ISO form, and a range includes its last day", async () => {
  expect(await translate({ dueFrom: ["1.1.2026"], dueTo: ["2026-01-31"], paid: ["31 Jan 2026", "today"] })).toEqual({
    filters: { dueFrom: ["2026-01-01"], dueTo: ["2026-02-01"], paid: ["2026-01-31", "today"] },
    lines: ["dueFrom=2026-01-01: 1 Jan 2026", "dueTo=2026-02-01: 1 Feb 2026", "paid=2026-01-31: 31 Jan 2026"],
    reads: 1,
  });
  expect((await translate({ due: ["this month"] })).filters).toEqual({
    dueFrom: ["thisMonth"],
    dueTo: ["thisMonth+P1M"],
  });
  await expect(translate({ dueTo: ["31.01.2026 08:00"] })).rejects.toMatchObject({
    message: '--where dueTo: "31.01.2026 08:00" has a time of day. Write a day, such as 31.01.2026 or 2026-01-31.',
  });
});

test("filters in the API's grammar are sent unchanged, and no catalogue is read", async () => {
  const given = {
    certNotAfterTo: ["now+P30D"],
    createdFrom: ["today"],
    createdTo: ["2026-01-01T00:00:00Z"],
    health: ["UP"],
  };
  expect(await translate(given)).toEqual({ filters: given, lines: [], reads: 0 });
  expect((await translate({ createdTo: ["today"], createdFrom: ["7d"] })).filters).toEqual({
    createdTo: ["today"],
    createdFrom: ["now-P7D"],
  });
  expect((await translate({ portFrom: ["80"], unknown: ["today"] })).filters).toEqual({
    portFrom: ["80"],
    unknown: ["today"],
  });
});

test("an ambiguous time is refused in one line that names the filter", async () => {
  await expect(translate({ certNotAfterTo: ["01/02/2026"] })).rejects.toMatchObject({
    exitCode: 2,
    message:
      '--where certNotAfterTo: "01/02/2026" can mean 1 February or 2 January. Write 01.02.2026 (day first) or 2026-01-02.',
  });
});
