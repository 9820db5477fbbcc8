import type { ReportColumn } from "./column.ts";
import { findCountProblems, quoteValue } from "./definition-rules.ts";
import { isNumericKind } from "./logical-columns.ts";

const maxTones = 10;

/** Returns the problems of tones by number. The first match applies, so each tone must match numbers that no earlier tone matches. */
export function findNumberToneProblems({ key, kind, tonesByNumber }: ReportColumn): readonly string[] {
  if (tonesByNumber === undefined) return [];
  const on = `column ${quoteValue(key)}: tonesByNumber`;
  if (!isNumericKind(kind)) return [`${on} is for columns of numbers, and the column is of kind ${kind}.`];
  const problems = findCountProblems("tones", tonesByNumber, 1, maxTones).map((problem) => `${on}: ${problem}`);
  for (const [at, { atLeast, below }] of tonesByNumber.entries()) {
    const each = `${on}[${at}]`;
    if (atLeast === undefined && below === undefined) problems.push(`${each} has one of atLeast and below, or both.`);
    else if ([atLeast, below].some((bound) => bound !== undefined && !Number.isFinite(bound)))
      problems.push(`${each}: atLeast and below are finite numbers.`);
    else if (atLeast !== undefined && below !== undefined && atLeast >= below)
      problems.push(`${each}: atLeast (${atLeast}) must be smaller than below (${below}), which is exclusive.`);
    else if (isCovered(rangeOf({ atLeast, below }), tonesByNumber.slice(0, at).map(rangeOf)))
      problems.push(`${each} matches no number, because earlier tones match all its numbers. The first match applies.`);
  }
  return problems;
}

type Range = readonly [from: number, to: number];

function rangeOf({
  atLeast = -Infinity,
  below = Infinity,
}: {
  readonly atLeast?: number | undefined;
  readonly below?: number | undefined;
}): Range {
  return [atLeast, below];
}

function isCovered([from, to]: Range, others: readonly Range[]): boolean {
  let reached = from;
  for (const [start, end] of others.toSorted((a, b) => a[0] - b[0]))
    if (start <= reached) reached = Math.max(reached, end);
  return reached >= to;
}
