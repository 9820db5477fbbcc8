import { expect, it } from "vitest";
import { foreignMessage, foreignText } from "./foreign-text.ts";

it("returns a text without unsafe characters unchanged", () => {
  for (const text of ["", "plain", "two\nlines\tand a tab", "שלום \u200f", "\u{1F600}".repeat(250)]) {
    expect(foreignText(text)).toBe(text);
  }
});

it("replaces every character that Postgres, JSON or a log line cannot carry", () => {
  expect(foreignText("a\0b\u001b[31m\u007f\u009b")).toBe("a\ufffdb\ufffd[31m\ufffd\ufffd");
  expect(foreignText("\ud800x\udfff")).toBe("\ufffdx\ufffd");
  expect(foreignText("\u2028\u202e\u2066\ufffe\u{1fffe}")).toBe("\ufffd".repeat(5));
  expect(foreignText("a\r\nb\rc")).toBe("a\nb\nc");
});

it("foreignText cuts a long text between code points to at most 500 UTF-16 units", () => {
  for (const lead of ["", "x"]) {
    const cut = foreignText(lead + "\u{1F600}".repeat(2_500_000));
    expect(cut.length).toBeGreaterThan(496);
    expect(cut.length).toBeLessThanOrEqual(500);
    expect(cut).toMatch(/^x?\u{1F600}+…$/u);
  }
  expect(foreignText("x".repeat(500))).toHaveLength(500);
  expect(foreignText("x".repeat(30), 10)).toBe(`${"x".repeat(9)}…`);
});

it("returns a fixed text for anything without a readable message", () => {
  const thrower = new Proxy(new Error("a"), {
    get() {
      throw new Error("not yours");
    },
  });
  for (const thrown of ["", Object.create(null), {}, { message: 3 }, () => 1, thrower]) {
    expect(foreignMessage(thrown)).toBe("The error has no readable message.");
  }
  expect([undefined, null, 7, Symbol("a\0")].map((each) => foreignMessage(each))).toEqual([
    "undefined",
    "null",
    "7",
    "Symbol(a\ufffd)",
  ]);
  expect(foreignMessage("thrown\0")).toBe("thrown\ufffd");
  expect(foreignMessage(new Error("message"))).toBe("message");
});
