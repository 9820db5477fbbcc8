import type { StartLimits } from "@reports/core/report";
import { listText } from "@reports/runtime";
import { z } from "zod";

export interface AuthorityStartLimits extends StartLimits {
  readonly authority: string;
}

export type FindStartLimits = (principal: { readonly authorities: ReadonlySet<string> }) => StartLimits;

const max = 100_000;
const entryPattern = /^(\S+):(\d{1,6})\/min:(\d{1,6})$/;

/** Parses START_LIMITS: entries `AUTHORITY:STARTS/min:UNFINISHED`, separated by commas, with each authority at most once. */
export const startLimitsSchema: z.ZodType<readonly AuthorityStartLimits[], string> = listText().transform(
  (entries, context) => {
    const wrong: string[] = [];
    const limits = new Map<string, AuthorityStartLimits>();
    for (const entry of entries) {
      const [, authority = "", perMinute, unfinished] = entryPattern.exec(entry) ?? [];
      const read = { authority, perMinute: Number(perMinute), unfinished: Number(unfinished) };
      const isRight = authority !== "" && !limits.has(authority) && read.perMinute <= max && read.unfinished <= max;
      if (isRight) limits.set(authority, read);
      else wrong.push(entry);
    }
    if (wrong.length === 0) return [...limits.values()];
    context.addIssue(
      `must be AUTHORITY:STARTS/min:UNFINISHED, such as SERVICE_BATCH:2000/min:200, several of them separated by commas, each authority once, numbers from 0 (no limit) to ${max}; wrong: ${wrong.join(", ")}`,
    );
    return z.NEVER;
  },
);

/**
 * Returns a function that finds the start limits of a principal. For each of the two limits, the largest value among the principal's authorities
 * counts, or else `usual`.
 */
export function createStartLimitsLookup(
  usual: StartLimits,
  byAuthority: readonly AuthorityStartLimits[],
): FindStartLimits {
  return ({ authorities }) => {
    const held = byAuthority.filter(({ authority }) => authorities.has(authority));
    if (held.length === 0) return usual;
    return {
      perMinute: largestLimit(held.map(({ perMinute }) => perMinute)),
      unfinished: largestLimit(held.map(({ unfinished }) => unfinished)),
    };
  };
}

/** Returns the largest limit. 0 means unlimited, so it is larger than every other number. */
function largestLimit(limits: readonly number[]): number {
  return limits.includes(0) ? 0 : Math.max(...limits);
}
