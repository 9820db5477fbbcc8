import { expect, test } from "vitest";
import { chooseMediaType } from "./accept.ts";

const offered = ["application/json", "text/csv; charset=utf-8"] as const;

test.each([
  [undefined, "application/json"],
  ["", "application/json"],
  [",", "application/json"],
  [", ,text/csv,", "text/csv; charset=utf-8"],
  [`${",".repeat(100)}text/csv`, "text/csv; charset=utf-8"],
  [`${"text/html,".repeat(99)}text/csv`, "text/csv; charset=utf-8"],
  ["*/*", "application/json"],
  ["text/*", "text/csv; charset=utf-8"],
  ["TEXT/CSV", "text/csv; charset=utf-8"],
  ["text/csv;charset=UTF-8", "text/csv; charset=utf-8"],
  ["text/csv;charset=utf-16", undefined],
  ["application/json;q=0.2, text/csv;q=0.9", "text/csv; charset=utf-8"],
  ["*/*;q=0.1, application/json;q=0", "text/csv; charset=utf-8"],
  ["application/*;q=0, */*", "text/csv; charset=utf-8"],
  ["application/json;q=0", undefined],
  ["application/json;q=0.000", undefined],
  ["application/pdf, image/*", undefined],
  ["text/html, *; q=.2, */*; q=.2", "application/json"],
  ["*", "application/json"],
  ["*;q=0.5, application/json;q=0", "text/csv; charset=utf-8"],
  ["*;q=0", undefined],
  ["application/json;q=abc", undefined],
  ["application/json;version=1;q=0.5", "application/json"],
])("Accept: %s chooses the media type %s", (accept, expected) => {
  const outcome = chooseMediaType(accept, offered);
  expect(outcome).toEqual(expected === undefined ? { outcome: "none" } : { outcome: "chosen", mediaType: expected });
});

test.each(["json", "*/json", "a b/c", ";q=1", ",a,"])("the header Accept: %s is malformed", (accept) => {
  expect(chooseMediaType(accept, offered)).toEqual({ outcome: "malformed" });
});
