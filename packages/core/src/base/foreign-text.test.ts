import { expect, it } from "vitest";
import { readForeignMessage, sanitiseForeignText } from "./foreign-text.ts";

it("sanitiseForeignText returns a text without unsafe characters unchanged", () => {
  for (const text of ["", "plain", "two\nlines\tand a tab", "שלום \u200f", "\u{1F600}".repeat(250)]) {
    expect(sanitiseForeignText(text)).toBe(text);
  }
});

it("sanitiseForeignText replaces characters that Postgres, JSON or logs cannot hold", () => {
  expect(sanitiseForeignText("a\0b\u001b[31m\u007f\u009b")).toBe("a\ufffdb\ufffd[31m\ufffd\ufffd");
  expect(sanitiseForeignText("\ud800x\udfff")).toBe("\ufffdx\ufffd");
  expect(sanitiseForeignText("\u2028\u202e\u2066\ufffe\u{1fffe}")).toBe("\ufffd".repeat(5));
  expect(sanitiseForeignText("a\r\nb\rc")).toBe("a\nb\nc");
});

it("sanitiseForeignText cuts a long text to its limit and never splits a character", () => {
  for (const lead of ["", "x"]) {
    const cut = sanitiseForeignText(lead + "\u{1F600}".repeat(2_500_000));
    expect(cut.length).toBeGreaterThan(496);
    expect(cut.length).toBeLessThanOrEqual(500);
    expect(cut).toMatch(/^x?\u{1F600}+…$/u);
  }
  expect(sanitiseForeignText("x".repeat(500))).toHaveLength(500);
  expect(sanitiseForeignText("x".repeat(30), 10)).toBe(`${"x".repeat(9)}…`);
});

it("readForeignMessage returns a fixed text for a thrown value without a message", () => {
  const thrower = new Proxy(new Error("a"), {
    get() {
      throw new Error("not yours");
    },
  });
  for (const thrown of ["", Object.create(null), {}, { message: 3 }, () => 1, thrower]) {
    expect(readForeignMessage(thrown)).toBe("The error has no readable message.");
  }
  expect([undefined, null, 7, Symbol("a\0")].map((each) => readForeignMessage(each))).toEqual([
    "undefined",
    "null",
    "7",
    "Symbol(a\ufffd)",
  ]);
  expect(readForeignMessage("thrown\0")).toBe("thrown\ufffd");
  expect(readForeignMessage(new Error("message"))).toBe("message");
});
