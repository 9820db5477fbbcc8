/** Formats counts by name, the largest first, such as `202 10, 429 3`. */
export function describeCounts(counts: Iterable<readonly [name: string | number, count: number]>): string {
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
