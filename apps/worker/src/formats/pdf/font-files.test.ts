import { HostFailureError } from "@reports/core/base";
import { expect, it } from "vitest";
import { getFont, layOutCachedRun } from "./font-files.ts";

it("an unreadable font file counts as a failure of the host, not of the report", () => {
  expect(() => getFont(99)).toThrow(HostFailureError);
});

it("a cached glyph keeps its own text, even if another text has the same glyph", () => {
  const textOf = (text: string): string[] => layOutCachedRun(0, text, "ltr").map((glyph) => glyph.text);
  const ligature = "\u{FB01}";
  expect([textOf(ligature), textOf("fi")]).toEqual([[ligature], ["fi"]]);
});
