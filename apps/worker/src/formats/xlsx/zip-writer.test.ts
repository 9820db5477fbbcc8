import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { combineCrc32 } from "./combine-crc32.ts";
import { type DeflatedPiece, ZipWriter } from "./zip-writer.ts";

describe("the ZIP writer", () => {
  it.each([
    ["", ""],
    ["a", ""],
    ["", "b"],
    ["some text", "and more of it"],
    ["x".repeat(100_003), "y".repeat(70_001)],
  ])("combines the CRCs of two pieces into that of the whole", (first, second) => {
    expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(crc32(first + second));
  });

  it("writes ZIP64 sizes and offsets where they do not fit 32 bits", async () => {
    const written: Buffer[] = [];
    const zip = new ZipWriter({
      async write(bytes) {
        // Only the directory and the descriptors are looked at.
        if (bytes.length >= 16 && bytes.length < 1024) written.push(Buffer.from(bytes));
      },
    });
    const large: DeflatedPiece = { deflated: new Uint8Array(2 ** 26), plainBytes: 2 ** 32, crc: 1 };
    await zip.addPieces("large", async function* () {
      for (let piece = 0; piece < 80; piece++) yield large;
    });
    await zip.add("small", "x");
    await zip.finish();
    const descriptor = written.find((bytes) => bytes.readUInt32LE(0) === 0x08074b50);
    expect(descriptor?.readBigUInt64LE(8)).toBe(80n * 2n ** 26n);
    expect(descriptor?.readBigUInt64LE(16)).toBe(80n * 2n ** 32n);
    const [first, second] = written.filter((bytes) => bytes.readUInt32LE(0) === 0x02014b50);
    expect(first?.readBigUInt64LE(46 + 5 + 4)).toBe(80n * 2n ** 32n);
    expect(first?.readBigUInt64LE(46 + 5 + 12)).toBe(80n * 2n ** 26n);
    expect(second?.readBigUInt64LE(46 + 5 + 20)).toBeGreaterThan(80n * 2n ** 26n);
    const end = written.at(-1);
    expect(end?.readUInt32LE(0)).toBe(0x06064b50);
    expect(end?.readBigUInt64LE(32)).toBe(2n);
    expect(end?.readUInt32LE(56)).toBe(0x07064b50);
    expect(end?.readUInt32LE(76)).toBe(0x06054b50);
  });
});
