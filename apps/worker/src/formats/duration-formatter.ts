import { normaliseDecimal } from "@reports/core/query";
import { formatExactNumber, parseExactNumber, roundExact, type ExactNumber } from "@reports/core/report";
import type { Words } from "./words/words.ts";

export interface DurationFormatter {
  /**
   * Writes seconds in all units from the largest to the smallest that is not zero: `93784.5` → `1 d 2 h 03 min 04.5 s`. Rounds the seconds to
   * `digits` decimal places (at most 30, by default 3). Returns other text, such as `NaN`, unchanged.
   */
  write(text: string, digits?: number): string;
  /** Writes seconds in their largest unit, rounded: `93784.5` → `1.1 d`. */
  short(text: string): string;
}

const defaultDigits = 3;
const exactNumberPattern = /^-?\d+(\.\d+)?(e[+-]\d+)?$/;
/** From the largest to the smallest unit. `width` is the minimum number of digits after a larger unit. */
const units = [
  { word: "durationDays", seconds: 86_400n, width: 1 },
  { word: "durationHours", seconds: 3_600n, width: 1 },
  { word: "durationMinutes", seconds: 60n, width: 2 },
  { word: "durationSeconds", seconds: 1n, width: 2 },
] as const;

export function createDurationFormatter(
  words: Pick<Words, "text">,
  numbers: { decimal(text: string): string; short(text: string): string },
): DurationFormatter {
  return {
    write(text, digits = defaultDigits) {
      if (!exactNumberPattern.test(text)) return text;
      const rounded = roundExact(parseExactNumber(text), digits);
      const sign = rounded.digits < 0n ? "-" : "";
      const parts = splitUnits({ digits: rounded.digits < 0n ? -rounded.digits : rounded.digits, scale: digits });
      const written = parts.map(({ word, count }, at) =>
        words.text(word, { count: numbers.decimal(at === 0 ? `${sign}${count}` : count) }),
      );
      // A duration is one value, so a line break must not split it.
      return written.join(" ").replaceAll(" ", "\u00A0");
    },
    short(text) {
      if (!exactNumberPattern.test(text)) return text;
      const seconds = Number(text);
      const smallest = units.at(-1)!;
      const unit = units.find((each) => Math.abs(seconds) >= Number(each.seconds)) ?? smallest;
      // A number beyond the range of a double has no finite count of days, so its seconds are written.
      const { word, count } = Number.isFinite(seconds)
        ? { word: unit.word, count: String(seconds / Number(unit.seconds)) }
        : { word: smallest.word, count: text };
      return words.text(word, { count: numbers.short(count) }).replaceAll(" ", "\u00A0");
    },
  };
}

function splitUnits({ digits, scale }: ExactNumber) {
  const one = 10n ** BigInt(scale);
  const whole = digits / one;
  // The fraction of the seconds: `.5` for `0.50`, nothing for `0.00`.
  const fraction = normaliseDecimal(formatExactNumber({ digits: digits % one, scale }))!.slice(1);
  const counts = units.map(({ seconds }, at) => (at === 0 ? whole : whole % units[at - 1]!.seconds) / seconds);
  const largest = counts.findIndex((count) => count > 0n);
  const first = largest < 0 ? units.length - 1 : largest;
  const last =
    fraction === ""
      ? Math.max(
          first,
          counts.findLastIndex((count) => count > 0n),
        )
      : units.length - 1;
  return units.slice(first, last + 1).map(({ word, width }, at) => {
    const plain = String(counts[first + at]).padStart(at === 0 ? 1 : width, "0");
    return { word, count: word === "durationSeconds" ? `${plain}${fraction}` : plain };
  });
}
