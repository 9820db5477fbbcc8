import { expect, it } from "vitest";
import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { AlignedRowNumber } from "./aligned-row-number.ts";

it("AlignedRowNumber counts all rows of a sheet in decimal digits", () => {
  const row = new AlignedRowNumber(1);
  const out = new ByteBuffer(64);
  const wrong: string[] = [];
  for (let expected = 1; expected <= 1_048_576; expected++) {
    out.length = 0;
    out.appendWords(row);
    if (out.view().toString("latin1") !== String(expected)) wrong.push(`${expected}: ${out.view().toString("latin1")}`);
    row.increment();
  }
  expect(wrong.slice(0, 10)).toEqual([]);
});

it("AlignedRowNumber continues after being set to a number with fewer digits", () => {
  const row = new AlignedRowNumber(1_048_575);
  row.set(9);
  row.increment();
  const out = new ByteBuffer(64);
  out.appendWords(row);
  expect(out.view().toString("latin1")).toBe("10");
});
