import { builtInReportTypes, createJsonRow, previewInputFromQuery, readPreview } from "@reports/core";
import { defineReportTypes } from "@reports/core/report-type";
import { createReportPreviews } from "@reports/db";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorkerUnderTest, type WorkerUnderTest } from "../../test/worker-under-test.ts";
import { renderToBuffer, testColumns, testRows } from "../rows.fixture.ts";
import { ndjsonRenderer } from "./ndjson.ts";

/** A column of every type that a view may have. */
const shown = {
  id: ["integer", "integer"],
  name: ["text", "text"],
  tags: ["list", "text[]"],
  bytes: ["bigint", "bigint"],
  amount: ["decimal", "numeric"],
  share: ["ratio", "numeric"],
  paid: ["boolean", "boolean"],
  at: ["timestamp", "timestamptz"],
  due: ["date", "date"],
  reference: ["text", "uuid"],
} as const;

const everyColumn = defineReportTypes([
  {
    authority: "A",
    definition: {
      type: "EVERY_COLUMN",
      version: 1,
      title: "Every column",
      columns: Object.entries(shown).map(([key, [kind]]) => ({ key, title: key, kind })),
      filters: [{ name: "paid", operator: "in", value: "boolean", columns: ["paid"], description: "Paid." }],
      where: [{ column: "id", below: 100 }],
      rows: {
        kind: "view",
        view: "every_column",
        id: "id",
        columns: Object.fromEntries(Object.entries(shown).map(([key, [, type]]) => [key, { column: key, type }])),
      },
    },
  },
]).reportTypes.map(({ definition }) => definition);

const hardRows = `create table every_column (id integer, name text, tags text[], bytes bigint, amount numeric, share numeric,
  paid boolean, at timestamptz, due date, reference uuid);
insert into every_column values
  (1, 'a', '{a,b}', 1, 1.50, 0.0500, true, '2026-03-29T00:59:59.999999Z', '2026-01-01', '018f0000-0000-7000-8000-00000000dead'),
  (2, null, null, null, null, null, null, null, null, null),
  (3, '', '{}', -9223372036854775808, -0.10, 0, false, '2026-03-29T01:00:00Z', '0001-01-01', null),
  (4, E'q" \\\\ \\n\\t\\u0001 \\u2028 日本 🙂 =1', array['', 'NULL', null, 'b "c" \\\\', 'x,y', '{', 'ü'], 9223372036854775807, 1e40, 1e-20, true, '1850-01-01T00:00:00Z', '9999-12-31', null),
  (5, 'late', '[2:3]={a,b}', 0, 'NaN', 1, false, '9999-12-31T23:59:59.5Z', 'infinity', null),
  (6, 'never', '{null}', 0, 0.00, 1, true, 'infinity', '0044-03-15 BC', null),
  (200, 'left out by a fixed condition', '{}', 0, 0, 0, true, now(), now(), null);`;

describe("the first rows of a report, read without one", () => {
  let worker: WorkerUnderTest;
  let previews: ReturnType<typeof createReportPreviews>;
  const types = [...builtInReportTypes, ...everyColumn];

  beforeAll(async () => {
    worker = await startWorkerUnderTest({ demoData: true, reportTypes: types });
    await worker.sql.unsafe(hardRows);
    const limits = { connections: 1, deadlineMs: 30_000 };
    previews = createReportPreviews({ main: { url: worker.databaseUrl, engine: "postgres" } }, limits);
  });
  afterAll(async () => {
    await previews.close();
    await worker[Symbol.asyncDispose]();
  });

  const queries: Readonly<Record<string, readonly string[]>> = {
    PROXY: [
      "",
      "timezone=America/St_Johns&sort=-requests24h&columns=tags,name,requests24h,lastCheckedAt,errorRate5xx24h",
    ],
    PROXY_DOMAIN: ["", 'timezone=Asia/Kolkata&searchParam={"status":["ACTIVE"]}', "searchParam=a&sort=-hostname"],
    EVERY_COLUMN: [
      "",
      "timezone=Europe/Amsterdam",
      "timezone=Asia/Tokyo&searchParam[paid]=true&sort=-at",
      "timezone=Africa/Monrovia",
    ],
  };

  test.each(types.flatMap(({ type }) => queries[type]!.map((query) => [type, query])))(
    "%s?%s: they are those of its json file",
    async (type, query) => {
      const definition = types.find((each) => each.type === type)!;
      const pairs = [...new URLSearchParams(query)];
      const request = previewInputFromQuery(definition, [...pairs, ["limit", "50"]], new Date());
      const read = async () => readPreview({ previews }, request, new AbortController().signal);
      const before = await read();
      const options = pairs.map(([name, value]) =>
        name === "sort" || name === "columns" ? [name, value.split(",")] : [name, value],
      );
      const searchParam = request.searchParam;
      const { id } = await worker.start({
        ...(Object.fromEntries(options.filter(([name]) => !String(name).startsWith("searchParam"))) as object),
        reportType: definition.type,
        format: "json",
        searchParam,
      });
      await worker.run(id);
      const file = JSON.parse((await worker.readFile(await worker.find(id))).toString("utf8")) as { rows: unknown[] };
      expect(file.rows.length).toBeGreaterThan(2);
      // Days left are counted from the moment of the read.
      expect([before, await read()]).toContainEqual(file.rows.slice(0, 50));
    },
  );
});

test("a row is the same object whether it is made of bytes or of texts", async () => {
  const times = [
    "2026-11-21 01:02:03+01",
    "2026-11-21 01:02:03.123456-03:30",
    "1850-01-01 00:20:15+00:19:32",
    "1850-01-01 00:20:15.5-00:19:32",
    "10000-01-01 08:59:59+09",
    "10000-01-01 05:29:59.999+05:30",
    "10000-01-01 08:59:59+00",
    "infinity",
    "-infinity",
    "0044-03-15 00:00:00+00 BC",
  ];
  const lists = [
    "{}",
    "{a}",
    '{"",NULL,"NULL",null}',
    '{"b \\"c\\" \\\\","x,y","{","}"}',
    "[2:3]={a,b}",
    '{" a ","line\nfeed"}',
  ];
  const columns = testColumns({ at: "timestamp", list: "list", flag: "boolean", text: "text" });
  const rows = Array.from({ length: times.length }, (_, at) => [
    times[at]!,
    lists[at % lists.length]!,
    at % 2 === 0 ? "t" : "f",
    "",
  ]);
  const wire = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(",")).join("\n");
  const { bytes } = await renderToBuffer(ndjsonRenderer, testRows(columns, `${wire}\n`));
  const ofBytes = bytes
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(rows.map(createJsonRow(columns))).toEqual(ofBytes);
});

test("a value that its column cannot hold ends the read", () => {
  const toRow = createJsonRow(testColumns({ count: "integer", list: "list" }));
  expect(() => toRow(["9007199254740993", "{}"])).toThrow("A value of count is no integer within ±2^53.");
  expect(() => toRow(["x", "{}"])).toThrow("A value of count is no integer within ±2^53.");
  expect(() => toRow(["1", "{{a},{b}}"])).toThrow("A list of list holds lists.");
});
