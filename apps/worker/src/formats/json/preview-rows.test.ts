import { builtInReportTypes, createJsonRowConverter, previewInputFromQuery, readPreview } from "@reports/core/report";
import { createDatabase, createReportPreviewReader, createRowEstimator } from "@reports/db";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyColumnReport, everyColumnSql } from "../../test/every-column.fixture.ts";
import { startWorkerUnderTest, type WorkerUnderTest } from "../../test/worker-under-test.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "../rows.fixture.ts";
import { ndjsonRenderer } from "./ndjson.ts";

describe("previews", () => {
  let worker: WorkerUnderTest;
  let database: ReturnType<typeof createDatabase>;
  let previews: ReturnType<typeof createReportPreviewReader>;
  const types = [...builtInReportTypes, everyColumnReport];

  beforeAll(async () => {
    worker = await startWorkerUnderTest({ demoData: true, reportTypes: types });
    await worker.sql.unsafe(everyColumnSql);
    const limits = { connections: 1, deadlineMs: 30_000 };
    database = createDatabase({ url: worker.databaseUrl, max: 1 });
    const sizes = createRowEstimator(database, new Map());
    previews = createReportPreviewReader({ main: { url: worker.databaseUrl, engine: "postgres" } }, limits, sizes);
  });
  afterAll(async () => {
    await previews.close();
    await database.close();
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
    "a preview of %s with %s shows the first rows of its json file",
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
      // The number of days until an expiry is counted from the time of the read, so it may change between two reads.
      expect([before, await read()]).toContainEqual(file.rows.slice(0, 50));
    },
  );
});

test("a preview decodes a row of bytes and the same row of texts to equal values", async () => {
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
  const columns = createTestColumns({ at: "timestamp", list: "list", flag: "boolean", text: "text" });
  const rows = Array.from({ length: times.length }, (_, at) => [
    times[at]!,
    lists[at % lists.length]!,
    at % 2 === 0 ? "t" : "f",
    "",
  ]);
  const wire = rows.map((row) => row.map((text) => `"${text.replaceAll('"', '""')}"`).join(",")).join("\n");
  const { bytes } = await renderToBuffer(ndjsonRenderer, createTestRows(columns, `${wire}\n`));
  const ofBytes = bytes
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(rows.map(createJsonRowConverter(columns, "UTC"))).toEqual(ofBytes);
});

test("a preview rejects a value that its column cannot hold", () => {
  const toRow = createJsonRowConverter(createTestColumns({ count: "integer", list: "list" }), "UTC");
  expect(() => toRow(["9007199254740993", "{}"])).toThrow("A value of count is not an integer within ±2^53.");
  expect(() => toRow(["x", "{}"])).toThrow("A value of count is not an integer within ±2^53.");
  expect(() => toRow(["1", "{{a},{b}}"])).toThrow("A list of list holds lists.");
});
