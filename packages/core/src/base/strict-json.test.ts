import { expect, test } from "vitest";
import { MalformedJsonError, parseStrictJsonBytes } from "./strict-json.ts";

const parse = (text: string) => parseStrictJsonBytes(Buffer.from(text), "The body");

test("parseStrictJson parses unambiguous JSON as JSON.parse does", () => {
  for (const text of [
    "1",
    '"ü\\u00fc\\n"',
    "null",
    " [1, -2.5e3, true, []] ",
    '{"a":9007199254740991,"b":"9007199254740993","c":[0.1,1e21]}',
    '{"a":{"b":[{}]},"":"\\\\"}',
    `${"[".repeat(32)}${"]".repeat(32)}`,
    `{"a": "${'\\\\\\"'.repeat(40_000)}" , "b" : "c"}`,
  ]) {
    expect(parse(text)).toEqual(JSON.parse(text));
  }
});

test.each([
  ["an empty text", ""],
  ["blanks", "  "],
  ["half an object", '{"a":'],
  ["a trailing comma", "[1,]"],
  ["NaN", "NaN"],
  ["a key twice", '{"a":1,"b":2,"a":3}'],
  ["a key twice, spelled differently", '{"a":1,"\\u0061":3}'],
  ["a key twice below", '[{"x":{"a":1 ,"a" :1}}]'],
  ["__proto__", '{"__proto__":{}}'],
  ["a number that would become 2^53 - 1", '{"a":9007199254740991.4}'],
  ["a number that would be rounded", "[1,443.00000000000000001]"],
  ["a number that would be zero", "1e-400"],
  ["33 levels", "[".repeat(33) + "]".repeat(33)],
  ["levels without end", "[".repeat(90_000)],
])("parseStrictJson refuses the ambiguous or invalid JSON text %s", (_, text) => {
  expect(() => parse(text)).toThrow(MalformedJsonError);
});

test("parseStrictJsonBytes refuses bytes that are not UTF-8", () => {
  expect(() => parseStrictJsonBytes(Buffer.from([0x22, 0xff, 0x22]), "The body")).toThrow(/UTF-8/);
});

test("parseStrictJson accepts a key in two objects, and a value equal to a key", () => {
  expect(parse('[{"a":1},{"a":{"a":"\\"a\\":{["}}]')).toEqual([{ a: 1 }, { a: { a: '"a":{[' } }]);
});
