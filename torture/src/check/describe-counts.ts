export function describeCounts(counts: Iterable<readonly [name: string | number, count: number]>): string {
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
