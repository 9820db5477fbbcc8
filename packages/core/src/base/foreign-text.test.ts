import { expect, it } from "vitest";
import { readThrownMessage, sanitiseUntrustedText } from "./foreign-text.ts";

it("sanitiseUntrustedText returns a text without unsafe characters unchanged", () => {
  for (const text of ["", "plain", "two\nlines\tand a tab", "שלום \u200f", "\u{1F600}".repeat(250)]) {
    expect(sanitiseUntrustedText(text)).toBe(text);
  }
});

it("sanitiseUntrustedText replaces characters that Postgres, JSON or logs cannot hold", () => {
  expect(sanitiseUntrustedText("a\0b\u001b[31m\u007f\u009b")).toBe("a\ufffdb\ufffd[31m\ufffd\ufffd");
  expect(sanitiseUntrustedText("\ud800x\udfff")).toBe("\ufffdx\ufffd");
  expect(sanitiseUntrustedText("\u2028\u202e\u2066\ufffe\u{1fffe}")).toBe("\ufffd".repeat(5));
  expect(sanitiseUntrustedText("a\r\nb\rc")).toBe("a\nb\nc");
});

it("sanitiseUntrustedText cuts a long text to its limit and never splits a character", () => {
  for (const lead of ["", "x"]) {
    const cut = sanitiseUntrustedText(lead + "\u{1F600}".repeat(2_500_000));
    expect(cut.length).toBeGreaterThan(496);
    expect(cut.length).toBeLessThanOrEqual(500);
    expect(cut).toMatch(/^x?\u{1F600}+…$/u);
  }
  expect(sanitiseUntrustedText("x".repeat(500))).toHaveLength(500);
  expect(sanitiseUntrustedText("x".repeat(30), 10)).toBe(`${"x".repeat(9)}…`);
});

it("readThrownMessage returns a fixed text for a thrown value without a message", () => {
  const thrower = new Proxy(new Error("a"), {
    get() {
      throw new Error("not yours");
    },
  });
  for (const thrown of ["", Object.create(null), {}, { message: 3 }, () => 1, thrower]) {
    expect(readThrownMessage(thrown)).toBe("The error has no readable message.");
  }
  expect([undefined, null, 7, Symbol("a\0")].map((each) => readThrownMessage(each))).toEqual([
    "undefined",
    "null",
    "7",
    "Symbol(a\ufffd)",
  ]);
  expect(readThrownMessage("thrown\0")).toBe("thrown\ufffd");
  expect(readThrownMessage(new Error("message"))).toBe("message");
});
