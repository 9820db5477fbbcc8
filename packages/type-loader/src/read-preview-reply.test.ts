import { expect, test } from "vitest";
import { createPreviewReplyReader } from "./read-preview-reply.ts";

const readReply = (...chunks: readonly string[]) => {
  const read = createPreviewReplyReader(60);
  return chunks.map((chunk) => read(Buffer.from(chunk)));
};

test("the reply of a preview's process is complete at the end of its line", () => {
  expect(readReply('{"kind":"rows",', '"rows":[["a",null]]}', "\n")).toEqual([
    null,
    null,
    { kind: "rows", rows: [["a", null]] },
  ]);
});

test("a character of a preview's reply may be split between two chunks", () => {
  const reply = Buffer.from('{"kind":"rows","rows":[["é"]]}\n');
  const read = createPreviewReplyReader(60);
  const results = [...reply].map((byte) => read(Buffer.from([byte])));
  expect(results.at(-1)).toEqual({ kind: "rows", rows: [["é"]] });
});

test("bytes after the line of a preview's reply are ignored", () => {
  expect(readReply(`{"kind":"rows","rows":[]}\n${"x".repeat(100)}`)).toEqual([{ kind: "rows", rows: [] }]);
});

test("a preview's reply above the size limit is invalid before it is complete", () => {
  const invalid = { kind: "invalid", problem: "The process sent a reply of more than 60 bytes." };
  expect(readReply("x".repeat(60), "x", "\n")).toEqual([null, invalid, invalid]);
});

test.each([
  ["}garbage{", "The process sent a reply that is not JSON."],
  ["", "The process sent a reply that is not JSON."],
  ["null", "The process sent a reply of an unknown form."],
  ['{"kind":"rows","rows":[[7]]}', "The process sent a reply of an unknown form."],
  ['{"kind":"rows","rows":{"length":0}}', "The process sent a reply of an unknown form."],
])("the line %j is an invalid reply of a preview's process", (line, problem) => {
  expect(readReply(`${line}\n`)).toEqual([{ kind: "invalid", problem }]);
});

test.each([
  ['{"kind":"failed","failure":"permanent","message":"a\\u0000"}', "permanent", "a\ufffd"],
  ['{"kind":"failed","failure":"other","message":7}', "broken", "The error has no readable message."],
])("the failure %s of a preview is read with a message that is safe to log", (line, failure, message) => {
  expect(readReply(`${line}\n`)).toEqual([{ kind: "failed", failure, message }]);
});
