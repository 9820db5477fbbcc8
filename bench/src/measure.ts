/** Ways of doing the same work, by name. Each does the work once and returns the number to be compared, such as its duration in ms. */
export type WaysToMeasure<Name extends string> = Readonly<Record<Name, () => Promise<number>>>;

/** Runs all ways once per round, so that other load affects them equally. With `warmUp`, a first round is not counted. */
export async function interleave<Name extends string>(
  ways: WaysToMeasure<Name>,
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

/** Returns a quantile, such as 0.99, interpolated between the two nearest values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  return below + ((sorted[Math.ceil(at)] ?? below) - below) * (at % 1);
}

/** Returns the median, over all rounds, of `values` divided by `base` of the same round. */
export function ratio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / base[round % base.length]!));
}
