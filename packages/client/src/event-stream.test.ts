import { describe, expect, test } from "vitest";
import { createEventStreamParser } from "./event-stream.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function parse(...pieces: readonly Uint8Array[]) {
  const parser = createEventStreamParser();
  return pieces.flatMap((piece) => parser.push(piece));
}

const stream = [
  "\u{feff}: a comment",
  "retry: 1000",
  "",
  "event: status",
  "id: 7",
  'data: {"title":"Zoë €🙂"}',
  "",
  "data",
  "data:  two",
  "unknown: field",
  "",
  "event: left out, because it has no data",
  "",
  "id",
  "data:last",
  "",
  "data: never ends",
];
const events = [
  { event: "status", data: '{"title":"Zoë €🙂"}', lastEventId: "7" },
  { event: "message", data: "\n two", lastEventId: "7" },
  { event: "message", data: "last", lastEventId: "" },
];

describe.each([
  ["line feeds", "\n"],
  ["carriage returns", "\r"],
  ["both", "\r\n"],
])("a stream whose lines end with %s", (_, end) => {
  const bytes = bytesOf(stream.join(end));

  test("the parser returns the same events wherever the stream is cut in two", () => {
    for (let at = 0; at <= bytes.length; at++) expect(parse(bytes.subarray(0, at), bytes.subarray(at))).toEqual(events);
  });

  test("the parser returns the same events if the stream arrives byte by byte", () => {
    expect(parse(...Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1)))).toEqual(events);
  });
});

test("the parser returns an event as soon as its empty line has arrived", () => {
  expect(parse(bytesOf("data: a\r\r"))).toEqual([{ event: "message", data: "a", lastEventId: "" }]);
});

test("the parser accepts different line endings in one stream", () => {
  const bytes = bytesOf("data: a\r\n\ndata: b\n\rdata: c\r\r\n");
  const all = ["a", "b", "c"].map((data) => ({ event: "message", data, lastEventId: "" }));
  for (let at = 0; at <= bytes.length; at++) expect(parse(bytes.subarray(0, at), bytes.subarray(at))).toEqual(all);
});

test("the parser ignores an id that contains NUL", () => {
  expect(parse(bytesOf("id: 1\nid: 2\0\ndata: a\n\n"))).toMatchObject([{ lastEventId: "1" }]);
});
