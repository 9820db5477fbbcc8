import { describe, expect, test } from "vitest";
import { createEventStreamParser } from "./event-stream.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The events of a stream that comes in these pieces. */
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

  test("holds the same events wherever it is cut", () => {
    for (let at = 0; at <= bytes.length; at++) expect(parse(bytes.subarray(0, at), bytes.subarray(at))).toEqual(events);
  });

  test("holds the same events byte by byte", () => {
    expect(parse(...Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1)))).toEqual(events);
  });
});

test("an event is told with its empty line, whatever may follow that", () => {
  expect(parse(bytesOf("data: a\r\r"))).toEqual([{ event: "message", data: "a", lastEventId: "" }]);
});

test("ends of lines of different kinds follow one another", () => {
  const bytes = bytesOf("data: a\r\n\ndata: b\n\rdata: c\r\r\n");
  const all = ["a", "b", "c"].map((data) => ({ event: "message", data, lastEventId: "" }));
  for (let at = 0; at <= bytes.length; at++) expect(parse(bytes.subarray(0, at), bytes.subarray(at))).toEqual(all);
});

test("an id with NUL is passed over", () => {
  expect(parse(bytesOf("id: 1\nid: 2\0\ndata: a\n\n"))).toMatchObject([{ lastEventId: "1" }]);
});
