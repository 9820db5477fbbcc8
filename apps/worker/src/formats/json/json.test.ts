import { describe, expect, it } from "vitest";
import { jsonRenderer } from "./json.ts";
import { ndjsonRenderer } from "./ndjson.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "../rows.fixture.ts";

async function renderLine(
  kinds: Parameters<typeof createTestColumns>[0],
  wire: string,
  chunkBytes = 65_536,
): Promise<string> {
  const { bytes } = await renderToBuffer(
    ndjsonRenderer,
    createTestRows(createTestColumns(kinds), wire, { chunkBytes }),
  );
  return bytes.toString("utf8");
}

describe("ndjson", () => {
  it("ndjson writes integers and booleans natively and exact numbers as strings", async () => {
    const kinds = {
      a: "integer",
      b: "bigint",
      c: "decimal",
      d: "ratio",
      e: "boolean",
      f: "date",
      g: "timestamp",
    } as const;
    expect(
      await renderLine(
        kinds,
        "-9007199254740991,9223372036854775807,-0.10,0.0500,t,2026-11-21,2026-11-21 01:02:03.123+00\n",
      ),
    ).toBe(
      '{"a":-9007199254740991,"b":"9223372036854775807","c":"-0.10","d":"0.0500","e":true,"f":"2026-11-21","g":"2026-11-21T01:02:03.123+00:00"}\n',
    );
  });

  it("ndjson distinguishes null, the empty string and the empty list", async () => {
    const line = await renderLine({ a: "text", b: "text", c: "list", d: "list" }, ',"",,{}\n');
    expect(JSON.parse(line)).toEqual({ a: null, b: "", c: null, d: [] });
  });

  it("ndjson escapes only the characters that must be escaped", async () => {
    const text = `q" \\ / \b\f\n\r\t \u0001\u001f\u007f\u2028 日本 עברית 🙂 =1`;
    const line = await renderLine({ a: "text" }, `"${text.replaceAll('"', '""')}"\n`);
    expect(JSON.parse(line)).toEqual({ a: text });
    expect(line.indexOf("\n")).toBe(line.length - 1);
  });

  it("ndjson writes a list as an array whose elements are strings or null", async () => {
    const line = await renderLine({ a: "list" }, '"{a,""b \\""c\\"" \\\\"",NULL,""NULL"",""""}"\n');
    expect(JSON.parse(line)).toEqual({ a: ["a", 'b "c" \\', null, "NULL", ""] });
  });

  it("an ndjson has the same lines wherever the chunks of its input rows end", async () => {
    const kinds = { a: "text", b: "list", c: "boolean" } as const;
    const wire = '"x ""q"" 日本\n","{x,""y z""}",t\n,,\n"",{},f\n';
    const whole = await renderLine(kinds, wire);
    for (let chunkBytes = 1; chunkBytes < 30; chunkBytes++)
      expect(await renderLine(kinds, wire, chunkBytes)).toBe(whole);
  });

  it("an ndjson without rows is an empty file", async () => {
    expect(await renderLine({ a: "text" }, "")).toBe("");
  });
});

describe("json", () => {
  const columns = createTestColumns({ name: "text", port: "integer" });
  const summary = {
    figures: [
      { key: "n", title: "Rows", kind: "integer", value: "2", tone: "neutral" },
      { key: "rate", title: "Rate", kind: "ratio", value: "0.0500", tone: "bad" },
    ],
    charts: [
      {
        key: "c",
        title: "C",
        series: [{ label: "s", tone: "good" }],
        points: [{ label: "p", tone: "neutral", values: [1] }],
        omitted: [{ label: "no region", value: 87 }],
      },
    ],
    attention: {
      title: "Look",
      columns,
      rows: [
        ["a", "1"],
        [null, null],
      ],
      total: 9,
    },
  } as const;

  it("json contains report, columns, summary and rows", async () => {
    const { bytes } = await renderToBuffer(jsonRenderer, createTestRows(columns, "a,1\nb,2\n", { summary }), {
      options: { format: "json" },
    });
    const document = JSON.parse(bytes.toString("utf8"));
    expect(Object.keys(document)).toEqual(["report", "columns", "summary", "rows"]);
    expect(document.report).toMatchObject({
      reportType: "FIXTURE",
      requestedBy: "basic:alice",
      dataAsOf: "2026-11-21T01:02:03.000Z",
    });
    expect(document.columns).toEqual([
      { key: "name", title: "Title of name", kind: "text" },
      { key: "port", title: "Title of port", kind: "integer" },
    ]);
    expect(document.summary.figures.map((figure: { value: unknown }) => figure.value)).toEqual([2, "0.0500"]);
    expect(document.summary.charts).toEqual(summary.charts);
    expect(document.summary.attention).toMatchObject({
      total: 9,
      rows: [
        { name: "a", port: 1 },
        { name: null, port: null },
      ],
    });
    expect(document.rows).toEqual([
      { name: "a", port: 1 },
      { name: "b", port: 2 },
    ]);
  });

  it("a json without rows is a complete document", async () => {
    const { bytes } = await renderToBuffer(jsonRenderer, createTestRows(columns, ""));
    expect(JSON.parse(bytes.toString("utf8"))).toMatchObject({ rows: [], summary: { attention: null } });
  });
});
