import { expect, it } from "vitest";
import { checkSignatureTimes } from "./signatures.ts";

const second = 1_000;
const jump = { from: 0, to: 30 * second, aheadMs: 600 * second };
const check = (at: number, aheadMs: number, jumps = [jump]) =>
  checkSignatureTimes([{ by: "good", at, signedAt: at + aheadMs }], jumps).violations;

it("checkSignatureTimes accepts a signature within a minute of the true time", () => {
  expect(check(0, -60 * second, [])).toEqual([]);
  expect(check(0, 60 * second, [])).toEqual([]);
});

it.each([-600, -61, 61, 600])("checkSignatureTimes reports a signature that is %i seconds off", (seconds) => {
  expect(check(0, seconds * second, [])).toHaveLength(1);
});

it("checkSignatureTimes accepts Postgres's wrong time until a minute after a jump", () => {
  expect(check(15 * second, 600 * second)).toEqual([]);
  expect(check(90 * second, 600 * second)).toEqual([]);
  expect(check(91 * second, 600 * second)).toHaveLength(1);
});

it("checkSignatureTimes reports any other wrong time during a jump", () => {
  expect(check(15 * second, -600 * second)).toHaveLength(1);
  expect(check(15 * second, 300 * second)).toHaveLength(1);
});

it("checkSignatureTimes reports a request without a readable time", () => {
  expect(check(0, NaN)).toHaveLength(1);
});
