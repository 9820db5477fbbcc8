import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { createCopyStartFinder, createCopyParser } from "./copy-frames.ts";

function message(kind: string, body: string): Buffer {
  const bytes = Buffer.from(`${kind}....${body}`);
  bytes.writeUInt32BE(Buffer.byteLength(body) + 4, 1);
  return bytes;
}

const rows = ["a,1\n", "", `${"long ".repeat(50)}\n`, "ü,2\n"];
const copy = Buffer.concat([
  message("H", "\0\0\0"),
  message("d", rows[0]!),
  message("N", "a notice"),
  message("d", rows[1]!),
  message("d", rows[2]!),
  message("S", "TimeZone\0UTC\0"),
  message("d", rows[3]!),
]);

function read(chunks: readonly Buffer[]): { text: string; rest: Buffer | null } {
  const readFrames = createCopyParser();
  const parts: Buffer[] = [];
  let rest: Buffer | null = null;
  for (const chunk of chunks) {
    if (rest !== null) rest = Buffer.concat([rest, chunk]);
    else {
      const found = readFrames(chunk);
      parts.push(Buffer.from(found.rows));
      ({ rest } = found);
    }
  }
  return { text: Buffer.concat(parts).toString("utf8"), rest };
}

test.each([
  ["its end", "c", ""],
  ["an error", "E", "SERROR\0C57014\0\0"],
])("the copy parser returns all rows and the bytes after %s at any chunk boundary", (_, kind, body) => {
  const after = Buffer.concat([message(kind, body), message("Z", "T")]);
  const all = Buffer.concat([copy, after]);
  for (let cut = 0; cut <= all.length; cut++) {
    const chunks = [Buffer.from(all.subarray(0, cut)), Buffer.from(all.subarray(cut))];
    expect(read(chunks), `cut at ${cut}`).toEqual({ text: rows.join(""), rest: after });
  }
  const bytes = Array.from(all, (byte) => Buffer.from([byte]));
  expect(read(bytes)).toEqual({ text: rows.join(""), rest: after });
});

test("the copy parser returns null as the rest until the COPY ends", () => {
  expect(read([Buffer.from(copy)])).toEqual({ text: rows.join(""), rest: null });
});

test("the copy finder skips results of earlier queries at any chunk boundary", () => {
  const before = Buffer.concat([
    message("T", "H"),
    message("D", `H${"\0".repeat(3)}\u0004d`),
    message("C", "SELECT 1\0"),
    message("N", ""),
  ]);
  const all = Buffer.concat([before, copy]);
  const beginOf = (chunks: readonly Buffer[]): number => {
    const findCopy = createCopyStartFinder();
    let passed = 0;
    for (const chunk of chunks) {
      const at = findCopy(chunk);
      if (at >= 0) return passed + at;
      passed += chunk.length;
    }
    return -1;
  };
  for (let cut = 0; cut <= all.length; cut++)
    expect(beginOf([all.subarray(0, cut), all.subarray(cut)]), `cut at ${cut}`).toBe(before.length);
  expect(beginOf(Array.from(all, (byte) => Buffer.from([byte])))).toBe(before.length);
  expect(beginOf([before])).toBe(-1);
});
