import { HostFailureError } from "@reports/core/base";
import { expect, it } from "vitest";
import { fontOfFace, layoutRun } from "./font-files.ts";

it("a font that cannot be read here is a failure of the host, and not of the report", () => {
  expect(() => fontOfFace(99)).toThrow(HostFailureError);
});

it("a line keeps its own text when an earlier line had the same glyph", () => {
  const textOf = (text: string): string[] => layoutRun(0, text, "ltr").map((glyph) => glyph.text);
  const ligature = "\u{FB01}";
  expect([textOf(ligature), textOf("fi")]).toEqual([[ligature], ["fi"]]);
});
