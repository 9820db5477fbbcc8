/** Thousandths of an em between columns. */
export const columnGap = 1000;

/** Neighbours that stand below each other, as wide as the widest of them. */
export interface Stack {
  readonly first: number;
  readonly end: number;
  readonly em: number;
}

/** Divides the columns, in their order, into as few stacks as `lines` allows, and those so that the table is narrowest. */
export function narrowestStacks(needs: readonly number[], lines: number): Stack[] {
  const fewest = Math.ceil(needs.length / lines);
  /** By number of stacks, then by number of columns in them: the narrowest way. */
  let ways = new Map<number, { em: number; stacks: Stack[] }>([[0, { em: 0, stacks: [] }]]);
  for (let count = 0; count < fewest; count++) {
    const longer = new Map<number, { em: number; stacks: Stack[] }>();
    for (const [first, way] of ways) {
      for (let end = first + 1; end <= Math.min(first + lines, needs.length); end++) {
        const em = Math.max(...needs.slice(first, end));
        const known = longer.get(end);
        if (known === undefined || way.em + em < known.em)
          longer.set(end, { em: way.em + em, stacks: [...way.stacks, { first, end, em }] });
      }
    }
    ways = longer;
  }
  return ways.get(needs.length)?.stacks ?? [];
}

/** Width of the table that the stacks make. */
export function totalEm(stacks: readonly Stack[]): number {
  return stacks.reduce((total, stack) => total + stack.em + columnGap, -columnGap);
}
