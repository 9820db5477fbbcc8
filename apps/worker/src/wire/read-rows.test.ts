import { describe, expect, it } from "vitest";
import { parseTextArray, parseRows, readRows, type WireRow } from "./read-rows.ts";
import { createTestColumns, createTestRows } from "../formats/rows.fixture.ts";

describe("reading of the wire form as text", () => {
  it("the reader of the wire form parses nulls, empty texts, quotes and line breaks", () => {
    expect([...parseRows(Buffer.from('a,,""\n"x ""y""","a,b","c\nd"\n"""",z,\n'))]).toEqual([
      ["a", null, ""],
      ['x "y"', "a,b", "c\nd"],
      ['"', "z", null],
    ]);
  });

  it("the reader of the wire form parses the same rows wherever chunks end", async () => {
    const wire = 'é,"日本 ""x""",\n"a\nb",🙂,c\n';
    for (let chunkBytes = 1; chunkBytes < 20; chunkBytes++) {
      const rows: WireRow[] = [];
      const { bytes } = createTestRows(createTestColumns({ a: "text", b: "text", c: "text" }), wire, { chunkBytes });
      for await (const some of readRows(bytes)) rows.push(...some);
      expect(rows).toEqual([
        ["é", '日本 "x"', null],
        ["a\nb", "🙂", "c"],
      ]);
    }
  });

  it.each([
    ["{}", []],
    ["{a}", ["a"]],
    ['{a,"b,c","",NULL,"NULL"}', ["a", "b,c", "", null, "NULL"]],
    [String.raw`{"q\"","b\\","{x}"}`, ['q"', "b\\", "{x}"]],
  ])("the reader of the wire form parses the list %s", (literal, elements) => {
    expect(parseTextArray(literal)).toEqual(elements);
  });
});
