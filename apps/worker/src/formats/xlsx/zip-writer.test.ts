import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { findProgramPath, isAvailableOrThrowInCi } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPython, runPythonProgram } from "../readers.fixture.ts";
import { combineCrc32 } from "./combine-crc32.ts";
import { type DeflatedPiece, deflatePiece, createUncompressedPiece, ZipWriter } from "./zip-writer.ts";

const hasJava = isAvailableOrThrowInCi("Java (apt-get install default-jdk-headless)", findProgramPath("jar") !== null);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "zip-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("the ZIP writer", () => {
  it.each([
    ["", ""],
    ["a", ""],
    ["", "b"],
    ["some text", "and more of it"],
    ["x".repeat(100_003), "y".repeat(70_001)],
  ])("the CRC of two joined pieces is computed from the CRCs of the pieces", (first, second) => {
    expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(crc32(first + second));
  });

  it("the ZIP writer refuses an entry of 4 GiB", async () => {
    const zip = new ZipWriter({ write: async () => undefined, overwrite: async () => undefined });
    const large: DeflatedPiece = { deflated: new Uint8Array(1), plainBytes: 2 ** 31, crc: 1 };
    const adding = zip.addPieces("large", async function* () {
      yield large;
      yield large;
    });
    await expect(adding).rejects.toThrow("The entry large has more than 4 GiB.");
  });

  it.runIf(hasPython && hasJava).each([0, 2 ** 32 - 40, 2 ** 32 + 7])(
    "strict readers accept a ZIP archive that begins at byte %d of its file",
    async (offset) => {
      const path = join(folder, `${offset}.zip`);
      const file = openSync(path, "w");
      let at = offset;
      const zip = new ZipWriter(
        {
          async write(bytes) {
            writeSync(file, bytes, 0, bytes.length, at);
            at += bytes.length;
          },
          async overwrite(position, bytes) {
            writeSync(file, bytes, 0, bytes.length, position);
          },
        },
        offset,
      );
      await zip.add("first", "one");
      await zip.add("second", "two");
      await zip.addPieces("third", async function* () {
        yield createUncompressedPiece(Buffer.from("one"), () => Buffer.from("ten"));
        yield deflatePiece(Buffer.from(", two"), true);
      });
      await zip.finish();
      closeSync(file);
      const program = `
import json,sys,zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
print(json.dumps({entry.filename: [archive.read(entry).decode(), entry.header_offset] for entry in archive.infolist()}))`;
      expect(await runPythonProgram(program, path)).toEqual({
        first: ["one", offset],
        second: ["two", expect.any(Number)],
        third: ["ten, two", expect.any(Number)],
      });
      const listed = execFileSync("jar", ["--list", "--file", path], { encoding: "utf8" });
      expect(listed.split("\n")).toEqual(["first", "second", "third", ""]);
      rmSync(path);
    },
  );
});
