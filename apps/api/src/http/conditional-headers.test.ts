import { expect, test } from "vitest";
import { allowsRange, evaluateHttpConditions, type ConditionalHeaders } from "./conditional-headers.ts";

const validators = { etag: '"a,b"', lastModified: new Date("2026-01-31T08:00:00.500Z") };

test.each<[ConditionalHeaders, ReturnType<typeof evaluateHttpConditions>]>([
  [{}, "proceed"],
  [{ ifNoneMatch: '"a,b"' }, "not-modified"],
  [{ ifNoneMatch: 'W/"a,b"' }, "not-modified"],
  [{ ifNoneMatch: '"x" , "a,b"' }, "not-modified"],
  [{ ifNoneMatch: "*" }, "not-modified"],
  [{ ifNoneMatch: '"a", "b"' }, "proceed"],
  [{ ifNoneMatch: '"x"', ifModifiedSince: "Sat, 31 Jan 2026 08:00:00 GMT" }, "proceed"],
  [{ ifModifiedSince: "Sat, 31 Jan 2026 08:00:00 GMT" }, "not-modified"],
  [{ ifModifiedSince: "Sat, 31 Jan 2026 07:59:59 GMT" }, "proceed"],
  [{ ifModifiedSince: "yesterday" }, "proceed"],
  [{ ifMatch: '"a,b"' }, "proceed"],
  [{ ifMatch: "*" }, "proceed"],
  [{ ifMatch: 'W/"a,b"' }, { failed: "If-Match" }],
  [{ ifMatch: '"x"', ifNoneMatch: '"a,b"' }, { failed: "If-Match" }],
  [{ ifMatch: '"a,b"', ifUnmodifiedSince: "Sat, 31 Jan 2026 07:00:00 GMT" }, "proceed"],
  [{ ifUnmodifiedSince: "Sat, 31 Jan 2026 07:00:00 GMT" }, { failed: "If-Unmodified-Since" }],
  [{ ifMatch: "a" }, { malformed: "If-Match" }],
  [{ ifNoneMatch: '"a' }, { malformed: "If-None-Match" }],
  [{ ifMatch: '"other"', ifNoneMatch: "\u00c2\u0084" }, { malformed: "If-None-Match" }],
  // A list may have empty elements, because some programs join values with commas.
  [{ ifNoneMatch: ', ,"a,b",' }, "not-modified"],
  [{ ifNoneMatch: '\t,"x",\t,"a,b"' }, "not-modified"],
  [{ ifNoneMatch: '"x",,"y"' }, "proceed"],
  [{ ifMatch: ',"a,b" , ' }, "proceed"],
  [{ ifMatch: ',"x",' }, { failed: "If-Match" }],
  [{ ifMatch: '"x",a,' }, { malformed: "If-Match" }],
  [{ ifMatch: "*," }, { malformed: "If-Match" }],
  [{ ifNoneMatch: "" }, "proceed"],
  [{ ifNoneMatch: " , " }, "proceed"],
  [{ ifMatch: "" }, { failed: "If-Match" }],
  [{ ifMatch: "," }, { failed: "If-Match" }],
  [{ ifNoneMatch: '"a" "b"' }, { malformed: "If-None-Match" }],
])("for a tag and a date of a record, the conditional headers %o evaluate to %o", (conditions, expected) => {
  expect(evaluateHttpConditions(conditions, validators)).toEqual(expected);
});

test("If-Modified-Since is ignored for a record without a Last-Modified date", () => {
  expect(evaluateHttpConditions({ ifModifiedSince: "Sat, 31 Jan 2026 08:00:00 GMT" }, { etag: '"a"' })).toBe("proceed");
});

test("an If-None-Match with thousands of entity tags counts as malformed", () => {
  expect(evaluateHttpConditions({ ifNoneMatch: '""'.repeat(7_500) }, validators)).toEqual({
    malformed: "If-None-Match",
  });
  expect(evaluateHttpConditions({ ifNoneMatch: '"",'.repeat(5_000) }, validators)).toEqual({
    malformed: "If-None-Match",
  });
});

test("If-None-Match may list at most 100 entity tags and 100 empty elements", () => {
  expect(evaluateHttpConditions({ ifNoneMatch: `${",".repeat(100)}"a,b"` }, validators)).toBe("not-modified");
  expect(evaluateHttpConditions({ ifNoneMatch: `${",".repeat(101)}"a,b"` }, validators)).toEqual({
    malformed: "If-None-Match",
  });
  expect(evaluateHttpConditions({ ifNoneMatch: '"",'.repeat(100) }, validators)).toBe("proceed");
  expect(evaluateHttpConditions({ ifNoneMatch: '"",'.repeat(101) }, validators)).toEqual({
    malformed: "If-None-Match",
  });
});

test.each([
  [undefined, true],
  ['"a,b"', true],
  ['"x"', false],
  ['W/"a,b"', false],
  ["Sat, 31 Jan 2026 08:00:00 GMT", true],
  ["Sat, 31 Jan 2026 09:00:00 GMT", false],
  ["nonsense", false],
])("If-Range: %s permits a partial response: %s", (ifRange, expected) => {
  expect(allowsRange(ifRange, validators)).toBe(expected);
});
