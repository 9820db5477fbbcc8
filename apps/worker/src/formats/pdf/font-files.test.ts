import { HostFailureError } from "@reports/core/base";
import { expect, it } from "vitest";
import { fontOfFace, layoutRun } from "./font-files.ts";

it("an unreadable font file is a failure of the host, not of the report", () => {
  expect(() => fontOfFace(99)).toThrow(HostFailureError);
});

it("a line keeps its text even if an earlier line used the same glyph", () => {
  const textOf = (text: string): string[] => layoutRun(0, text, "ltr").map((glyph) => glyph.text);
  const ligature = "\u{FB01}";
  expect([textOf(ligature), textOf("fi")]).toEqual([[ligature], ["fi"]]);
});
