/** Functions that do the same work in different ways, by name. Each call does the work once and returns the measured number, such as ms. */
export type MeasuredFunctions<Name extends string> = Readonly<Record<Name, () => Promise<number>>>;

/**
 * Runs each function once per round, alternating, so that other load on the machine affects all of them equally. With `warmUp`, an additional first
 * round does not count.
 */
export async function measureAlternately<Name extends string>(
  ways: MeasuredFunctions<Name>,
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

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  return below + ((sorted[Math.ceil(at)] ?? below) - below) * (at % 1);
}

/** Returns the median of the quotients `values[i] / base[i]`. Both values of a quotient are from the same round. */
export function medianRatio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / base[round % base.length]!));
}
