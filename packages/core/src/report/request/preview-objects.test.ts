import { expect, test } from "vitest";
import { defineReportTypes } from "../types/define-report-types.ts";
import type { ObjectRow, ObjectRowsRequest } from "../types/row-source.ts";
import type { Condition } from "../types/summary.ts";
import { readFirstObjectRows } from "./preview-objects.ts";
import type { PreviewCellTexts } from "./preview.ts";

const columns = [
  { key: "name", title: "Name", kind: "text" },
  { key: "pages", title: "Pages", kind: "integer" },
  { key: "tags", title: "Tags", kind: "list" },
] as const;

async function readFirst(
  rows: Iterable<ObjectRow>,
  { limit = 2, where = [] as readonly Condition<"name" | "pages" | "tags">[] } = {},
): Promise<{ rows: PreviewCellTexts; asked: ObjectRowsRequest; read: number }> {
  const { reportTypes } = defineReportTypes([
    {
      authority: "REPORT_PRINTER",
      definition: {
        type: "PRINTER",
        version: 1,
        title: "Printers",
        columns,
        where,
        rows: { kind: "objects", rows: async function* () {} },
      },
    },
  ]);
  const { definition } = reportTypes[0]!;
  let asked: ObjectRowsRequest | undefined;
  let read = 0;
  const results: PreviewCellTexts[] = [];
  await readFirstObjectRows(
    {
      kind: "objects",
      async *rows(request) {
        asked = request;
        for (const row of rows) {
          read++;
          yield row;
        }
      },
    },
    {
      definition,
      columns: [definition.columns[2]!, definition.columns[0]!],
      searchParam: {},
      sort: [{ key: "name", descending: false }],
      timezone: "UTC",
      limit,
      requester: { id: "basic:ada", name: null },
    },
    { signal: new AbortController().signal, onRows: (texts) => void results.push(texts) },
  );
  expect(results).toHaveLength(1);
  return { rows: results[0]!, asked: asked!, read };
}

test("a preview of object rows has the requested columns, in the requested order", async () => {
  const { rows, asked } = await readFirst([{ name: "Hall", tags: ["a b", ""], pages: 1 }]);
  expect(rows).toEqual([['{"a b",""}', "Hall"]]);
  expect(asked).toMatchObject({ columns: ["tags", "name"], limit: 2, locale: "en", language: "en" });
  expect(asked.signal.aborted).toBe(false);
});

test("a preview of object rows stops at its limit and aborts its source's signal", async () => {
  const endless = (function* () {
    for (;;) yield { name: "Hall" };
  })();
  const { rows, asked, read } = await readFirst(endless);
  expect([rows.length, read]).toEqual([2, 2]);
  expect(asked.signal.aborted).toBe(true);
});

test("a preview applies the type's `where` and then passes no limit to its source", async () => {
  const given = [1, 20, 30, 2].map((pages) => ({ name: String(pages), pages }));
  const { rows, asked } = await readFirst(given, { where: [{ column: "pages", atLeast: 10 }] });
  expect(rows).toEqual([
    [null, "20"],
    [null, "30"],
  ]);
  expect(asked).toMatchObject({ columns: ["tags", "name", "pages"], limit: null });
});

test.each([
  ["an invalid value", [{ name: 7 }], /gave a number that is not a valid text for column name/],
  ["too long rows", [1, 2, 3, 4, 5].map(() => ({ name: "x".repeat(1_000_000) })), /more than 4000000 characters/],
])("a preview of object rows with %s is refused", async (_, rows, message) => {
  await expect(readFirst(rows, { limit: 10 })).rejects.toThrow(message);
});
