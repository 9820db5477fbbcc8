import { expect, it } from "vitest";
import { judgeSignatures } from "./signatures.ts";

const second = 1_000;
const jump = { from: 0, to: 30 * second, aheadMs: 600 * second };
const judge = (at: number, aheadMs: number, jumps = [jump]) =>
  judgeSignatures([{ by: "good", at, signedAt: at + aheadMs }], jumps).violations;

it("accepts a signature within a minute of the true time", () => {
  expect(judge(0, -60 * second, [])).toEqual([]);
  expect(judge(0, 60 * second, [])).toEqual([]);
});

it.each([-600, -61, 61, 600])("finds a signature that is %i seconds off", (seconds) => {
  expect(judge(0, seconds * second, [])).toHaveLength(1);
});

it("accepts Postgres's wrong time during a jump and for a minute after it", () => {
  expect(judge(15 * second, 600 * second)).toEqual([]);
  expect(judge(90 * second, 600 * second)).toEqual([]);
  expect(judge(91 * second, 600 * second)).toHaveLength(1);
});

it("finds any other wrong time during a jump", () => {
  expect(judge(15 * second, -600 * second)).toHaveLength(1);
  expect(judge(15 * second, 300 * second)).toHaveLength(1);
});

it("finds a request without a readable time", () => {
  expect(judge(0, NaN)).toHaveLength(1);
});
