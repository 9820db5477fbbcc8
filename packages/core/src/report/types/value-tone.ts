import { compareToNumber } from "./cell-condition.ts";
import type { ReportColumn } from "./column.ts";

type ValueTone = NonNullable<ReportColumn["tones"]>[string];

export function createValueToneSelector({
  tones = {},
  tonesByNumber = [],
}: Pick<ReportColumn, "tones" | "tonesByNumber">): (text: string) => ValueTone | undefined {
  if (tonesByNumber.length === 0) return (text) => (Object.hasOwn(tones, text) ? tones[text] : undefined);
  return (text) =>
    tonesByNumber.find(
      ({ atLeast, below }) =>
        (atLeast === undefined || compareToNumber(text, atLeast) >= 0) &&
        (below === undefined || compareToNumber(text, below) < 0),
    )?.tone;
}
