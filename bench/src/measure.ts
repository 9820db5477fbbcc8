/** Ways of doing the same work; each returns its milliseconds (or whatever else is compared). */
export type Ways<Name extends string> = Readonly<Record<Name, () => Promise<number>>>;

/** Runs the ways in turn, so that other load on the machine hits all of them alike. With `warmUp` the first round does not count. */
export async function interleave<Name extends string>(
  ways: Ways<Name>,
  rounds: number,
  { warmUp = false }: { readonly warmUp?: boolean } = {},
): Promise<Record<Name, number[]>> {
  const names = Object.keys(ways) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = warmUp ? -1 : 0; round < rounds; round++) {
    for (const name of names) {
      const value = await ways[name]();
      console.error(`  round ${round + 1}: ${name} ${Math.round(value)}`);
      if (round >= 0) results[name].push(value);
    }
  }
  return results;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Interpolates between neighbours. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  return below + ((sorted[Math.ceil(at)] ?? below) - below) * (at % 1);
}

/** Median over the rounds of `values` as a multiple of `base` in the same round. */
export function ratio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / base[round % base.length]!));
}
