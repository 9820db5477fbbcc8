import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { selectCommonParts, listDifferingParts, computeFileFingerprint } from "./file-fingerprint.ts";

const csv = { reportType: "PROXY", format: "csv" } as const;
const json = { reportType: "PROXY", format: "json" } as const;

describe("fingerprint", () => {
  it("the fingerprint depends on the rows of a file and not on its compression", () => {
    const whole = computeFileFingerprint(Buffer.from("a\n1\n2\n"), csv);
    expect(
      listDifferingParts(whole, computeFileFingerprint(gzipSync("a\n1\n2\n"), { ...csv, compression: "gzip" })),
    ).toEqual([]);
    expect(listDifferingParts(whole, computeFileFingerprint(Buffer.from("a\n1\n"), csv))).toEqual(["rows"]);
  });

  it("the fingerprint of a json file covers only its rows", () => {
    const one = computeFileFingerprint(Buffer.from('{"report":{"id":1},"rows":[{"a":1}]}'), json);
    expect(
      listDifferingParts(one, computeFileFingerprint(Buffer.from('{"report":{"id":2},"rows":[{"a":1}]}'), json)),
    ).toEqual([]);
    expect(
      listDifferingParts(one, computeFileFingerprint(Buffer.from('{"report":{"id":1},"rows":[{"a":2}]}'), json)),
    ).toEqual(["rows"]);
  });

  it("fingerprint throws for an incomplete file", () => {
    expect(() => computeFileFingerprint(Buffer.from('{"rows":[{"a":1}'), json)).toThrow(SyntaxError);
    expect(() => computeFileFingerprint(Buffer.from("PK\x03\x04"), { ...csv, format: "xlsx" })).toThrow("no end");
    expect(() => computeFileFingerprint(Buffer.from("%PDF-1.7"), { ...csv, format: "pdf" })).toThrow("no end");
  });

  it("the fingerprint of an xlsx file ignores the title in the page header", () => {
    const xlsx = { ...csv, format: "xlsx" } as const;
    const sheet = (cell: string, title: string): Buffer =>
      zipOf("sheet.xml", `<c>${cell}</c><headerFooter><oddHeader>${title}</oddHeader></headerFooter>`);
    const one = computeFileFingerprint(sheet("1", "a"), xlsx);
    expect(listDifferingParts(one, computeFileFingerprint(sheet("1", "another"), xlsx))).toEqual([]);
    expect(listDifferingParts(one, computeFileFingerprint(sheet("2", "a"), xlsx))).toEqual(["sheet.xml"]);
  });

  it("the fingerprint of an xlsx file ignores the dimension of a sheet", () => {
    const xlsx = { ...csv, format: "xlsx" } as const;
    const sheet = (dimension: string, cell: string): Buffer =>
      zipOf("sheet.xml", `<sheetPr></sheetPr>${dimension}<c>${cell}</c>`);
    const one = computeFileFingerprint(sheet("", "1"), xlsx);
    for (const dimension of ['<dimension ref="A1:B2"/>', " ".repeat(24)])
      expect(listDifferingParts(one, computeFileFingerprint(sheet(dimension, "1"), xlsx))).toEqual([]);
    expect(listDifferingParts(one, computeFileFingerprint(sheet('<dimension ref="A1:B2"/>', "2"), xlsx))).toEqual([
      "sheet.xml",
    ]);
  });

  it("selectCommonParts returns only the parts that are equal in two fault-free runs", () => {
    const common = selectCommonParts(
      new Map([
        ["rows", "1"],
        ["made at", "2"],
      ]),
      new Map([
        ["rows", "1"],
        ["made at", "3"],
      ]),
    );
    expect([...common.keys()]).toEqual(["rows"]);
  });
});

function zipOf(name: string, text: string): Buffer {
  const local = Buffer.alloc(30);
  const central = Buffer.alloc(46);
  const end = Buffer.alloc(22);
  local.writeUInt16LE(name.length, 26);
  central.writeUInt32LE(text.length, 20);
  central.writeUInt16LE(name.length, 28);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(local.length + name.length + text.length, 16);
  return Buffer.concat([local, Buffer.from(name + text), central, Buffer.from(name), end]);
}
