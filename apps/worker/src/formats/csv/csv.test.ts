import { describe, expect, it } from "vitest";
import { BrokenRowsError } from "../../wire/broken-rows-error.ts";
import { createCsvRenderer } from "./csv.ts";
import { renderToBuffer, createTestColumns, createTestRows } from "../rows.fixture.ts";

const csv = createCsvRenderer({ formulaGuard: true });

async function render(
  kinds: Parameters<typeof createTestColumns>[0],
  wire: string,
  chunkBytes?: number,
  csvBom = false,
) {
  const columns = createTestColumns(kinds);
  const { bytes } = await renderToBuffer(
    csv,
    createTestRows(columns, wire, chunkBytes === undefined ? {} : { chunkBytes }),
    {
      options: { csvBom },
    },
  );
  return bytes.toString("utf8");
}

describe("csv", () => {
  it("csv begins with a byte order mark only if the request asks for it", async () => {
    expect(await render({ a: "text" }, "x\n", undefined, true)).toBe("\uFEFFa\r\nx\r\n");
    expect(await render({ a: "text" }, "x\n")).toBe("a\r\nx\r\n");
  });

  it("a csv without rows has only the header", async () => {
    expect(await render({ a: "text", b: "integer" }, "")).toBe("a,b\r\n");
  });

  it("csv distinguishes null from the empty string", async () => {
    expect(await render({ a: "text", b: "text" }, ',""\n')).toBe('a,b\r\n,""\r\n');
    expect(await render({ a: "text", b: "text" }, '"",\n')).toBe('a,b\r\n"",\r\n');
    expect(await render({ a: "text" }, "\n\n")).toBe("a\r\n\r\n\r\n");
  });

  it("csv keeps commas, quotes, line breaks and every script in text", async () => {
    const cell = '"a,""b""\r\nc 日本 עברית 🙂"';
    expect(await render({ a: "text", b: "text" }, `${cell},x\n`)).toBe(`a,b\r\n${cell},x\r\n`);
  });

  it.each(["=", "+", "-", "@", "\t", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"])(
    "csv puts one apostrophe before text that begins with %j",
    async (first) => {
      expect(await render({ a: "text" }, `${first}1\n`)).toBe(`a\r\n'${first}1\r\n`);
      expect(await render({ a: "text" }, `"${first}1,"\n`)).toBe(`a\r\n"'${first}1,"\r\n`);
      expect(await render({ a: "list" }, `{${first}1}\n`)).toBe(`a\r\n'${first}1\r\n`);
    },
  );

  it.each(["\r", "\n"])("csv puts one apostrophe before quoted text that begins with %j", async (first) => {
    expect(await render({ a: "text" }, `"${first}x"\n`)).toBe(`a\r\n"'${first}x"\r\n`);
  });

  it.each(["\uFF1E", "\uFF21", "\uFEFF", "1"])("csv does not change text that begins with %j", async (first) => {
    expect(await render({ a: "text" }, `${first}1\n`)).toBe(`a\r\n${first}1\r\n`);
  });

  it("csv puts no apostrophe before numbers", async () => {
    const kinds = { a: "integer", b: "bigint", c: "decimal", d: "ratio" } as const;
    expect(await render(kinds, "-1,-9223372036854775808,-0.10,-0.05\n")).toBe(
      "a,b,c,d\r\n-1,-9223372036854775808,-0.10,-0.05\r\n",
    );
  });

  it("without the formula guard, csv keeps formulas unchanged", async () => {
    const rows = createTestRows(createTestColumns({ a: "text", b: "list" }), "=1,{=2}\n");
    const { bytes } = await renderToBuffer(createCsvRenderer({ formulaGuard: false }), rows);
    expect(bytes.toString()).toBe("a,b\r\n=1,=2\r\n");
  });

  it("csv writes booleans as true and false", async () => {
    expect(await render({ a: "boolean", b: "boolean", c: "boolean" }, "t,f,\n")).toBe("a,b,c\r\ntrue,false,\r\n");
  });

  it.each([
    ["2026-11-21 00:02:03.123+00", "Europe/Berlin", "2026-11-21T01:02:03.123+01:00"],
    ["2026-11-21 01:02:03+00", "UTC", "2026-11-21T01:02:03+00:00"],
    ["2026-01-01 04:32:03.123456+00", "America/St_Johns", "2026-01-01T01:02:03.123456-03:30"],
    ["1880-01-01 00:00:00+00", "Europe/Prague", "1880-01-01T00:57:00+00:57"],
    ["1883-11-18 16:59:59.5+00", "America/New_York", "1883-11-18T12:03:59.5-04:56"],
    ["infinity", "Asia/Tokyo", "infinity"],
    ["0044-03-15 00:00:00+00 BC", "Asia/Tokyo", "0044-03-15 00:00:00+00 BC"],
  ])("csv writes the timestamp %s in %s as %s", async (wire, timezone, text) => {
    const columns = createTestColumns({ b: "timestamp", a: "timestamp" });
    const { bytes } = await renderToBuffer(csv, createTestRows(columns, `${wire},${wire}\n`), {
      options: { timezone },
    });
    expect(bytes.toString()).toBe(`b,a\r\n${text},${text}\r\n`);
  });

  it.each([
    ["{}", '""'],
    ["{a}", "a"],
    ['"{a,b}"', "a; b"],
    ['"{""a,b"",c}"', '"a,b; c"'],
    ['"{""say \\""hi\\"""",""back\\\\slash""}"', '"say ""hi""; back\\slash"'],
    ['"{NULL,""NULL"",""""}"', "; NULL; "],
  ])("csv writes the list %s as %s", async (wire, cell) => {
    expect(await render({ a: "list", b: "text" }, `${wire},x\n`)).toBe(`a,b\r\n${cell},x\r\n`);
  });

  it("a csv has the same bytes wherever the chunks of its input rows end", async () => {
    const kinds = { a: "text", b: "timestamp", c: "list", d: "boolean" } as const;
    const wire = '"=a ""q"" 日本\n",2026-11-21 01:02:03.123+01,"{x,""y z""}",t\n,,,\n"",2026-11-21 01:02:03+00,{},f\n';
    const whole = await render(kinds, wire);
    for (let chunkBytes = 1; chunkBytes < 40; chunkBytes++) expect(await render(kinds, wire, chunkBytes)).toBe(whole);
  });

  it("csv writes rows that are longer than a block", async () => {
    const long = "x".repeat(700_000);
    expect(await render({ a: "text", b: "text" }, `${long},1\n${long},2\n`)).toBe(`a,b\r\n${long},1\r\n${long},2\r\n`);
  });

  it("csv rejects rows that end in the middle or lack a field", async () => {
    await expect(render({ a: "text" }, "x\ny")).rejects.toBeInstanceOf(BrokenRowsError);
    await expect(render({ a: "text" }, '"x\n')).rejects.toBeInstanceOf(BrokenRowsError);
    await expect(render({ a: "text", b: "text" }, "x\n")).rejects.toBeInstanceOf(BrokenRowsError);
  });

  it("csv is valid UTF-8 even if the source sends invalid bytes", async () => {
    const columns = createTestColumns({ a: "text" });
    const { bytes } = await renderToBuffer(
      csv,
      createTestRows(columns, Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80, 0x0a])),
    );
    expect(bytes.toString("utf8")).toMatch(/^a\r\na\uFFFD+\r\n$/);
  });
});
