import { PermanentReportError } from "@reports/core/base";

/** Limits on the distinct values, and on their characters, that one report keeps in order to count them. They take at most 200 MB. */
const maxValues = 1_000_000;
const maxCharacters = 40_000_000;

export interface FoldedValueBudget {
  /** Counts a kept value against the budget of the report. Throws REPORT_TOO_LARGE if the report exceeds its budget. */
  take(value: string): void;
}

export function createFoldedValueBudget(most = { values: maxValues, characters: maxCharacters }): FoldedValueBudget {
  let { values, characters } = most;
  return {
    take(value) {
      values -= 1;
      characters -= value.length;
      if (values >= 0 && characters >= 0) return;
      throw new PermanentReportError(
        "REPORT_TOO_LARGE",
        `The report counts more different values than can be kept in memory: ${most.values.toLocaleString("en")} values of ${most.characters.toLocaleString("en")} characters together. Filter the rows, or choose csv or ndjson, which have no figures.`,
      );
    },
  };
}
