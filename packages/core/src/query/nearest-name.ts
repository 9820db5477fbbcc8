import { maxListedIssues } from "../base/truncate-issues.ts";

const maxNameLength = 64;
/** Limits one search for a similar name to about 10 ms. A filter can have a thousand long names. */
const maxComparedPairs = 250_000;

/**
 * Returns the allowed name that is most similar to a misspelt one; undefined if none is similar enough. Searches only the first of very many names.
 */
export function findNearestName(name: string, allowed: readonly string[]): string | undefined {
  const wanted = name.slice(0, maxNameLength).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.floor(Math.max(wanted.length, 3) / 3) + 1;
  let pairs = 0;
  for (const candidate of allowed) {
    // Each character by which the lengths differ needs at least one edit, so this candidate cannot be better.
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    pairs += wanted.length * candidate.length;
    if (pairs > maxComparedPairs) break;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

export function describeAllowedNames(name: string, allowed: readonly string[]): string {
  const nearest = findNearestName(name, allowed);
  const list = `Allowed: ${allowed.join(", ")}.`;
  return nearest === undefined ? list : `Did you mean ${nearest}? ${list}`;
}

/** Returns the message for an unknown name. Skips the expensive search for a similar name if `found` earlier mistakes already fill the response. */
export function describeUnknownName(noun: string, name: string, allowed: readonly string[], found: number): string {
  const sentence = `There is no ${noun} ${JSON.stringify(name.slice(0, 60))}.`;
  return found < maxListedIssues ? `${sentence} ${describeAllowedNames(name, allowed)}` : sentence;
}

function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? beforePrevious[j - 2]! + 1 : Infinity;
      current.push(Math.min(previous[j]! + 1, current[j - 1]! + 1, substitution, swap));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}
