/** Width between columns, in thousandths of an em. */
export const columnGapMilliEm = 1000;

/** Adjacent columns whose cells are below each other. `em` is the width of the widest column, in thousandths of an em. */
export interface ColumnStack {
  readonly first: number;
  readonly end: number;
  readonly em: number;
}

export interface StackableColumn {
  readonly em: number;
  /**
   * Edge to which values are aligned. Columns aligned to the left and to the right never share a stack. A column with `alone` is never stacked,
   * because its title must be directly above it.
   */
  readonly edge: "left" | "right" | "either" | "alone";
}

export function findNarrowestStacks(columns: readonly StackableColumn[], lines: number): ColumnStack[] {
  return divideIntoStacks(columns, lines, {
    gap: columnGapMilliEm,
    stackWidth: (own) => (isStackable(own) ? Math.max(...own.map(({ em }) => em)) : null),
  });
}

function isStackable(columns: readonly StackableColumn[]): boolean {
  const has = (edge: StackableColumn["edge"]): boolean => columns.some((column) => column.edge === edge);
  return columns.length === 1 || !(has("alone") || (has("left") && has("right")));
}

export interface StackingOptions<Item> {
  readonly gap: number;
  /** Returns the width of a stack; null for items that must not be stacked. */
  readonly stackWidth: (items: readonly Item[]) => number | null;
  /** Cost of a stack with one line less than `lines`, as a width. It grows with the square of the missing lines, so that stacks are equally high. */
  readonly missingLine?: number;
}

/** Divides items, in order, into stacks of at most `lines` items, so that the sum of widths, gaps and costs of missing lines is smallest. */
export function divideIntoStacks<Item>(
  items: readonly Item[],
  lines: number,
  { gap, stackWidth, missingLine = 0 }: StackingOptions<Item>,
): ColumnStack[] {
  const ways: { readonly cost: number; readonly stacks: readonly ColumnStack[] }[] = [{ cost: -gap, stacks: [] }];
  for (let end = 1; end <= items.length; end++) {
    let best = { cost: Number.POSITIVE_INFINITY, stack: { first: end - 1, end, em: 0 } };
    for (let first = end - 1; first >= Math.max(0, end - lines); first--) {
      const em = stackWidth(items.slice(first, end));
      if (em === null) break;
      const cost = ways[first]!.cost + gap + em + missingLine * (lines - (end - first)) ** 2;
      if (cost < best.cost) best = { cost, stack: { first, end, em } };
    }
    ways.push({ cost: best.cost, stacks: [...ways[best.stack.first]!.stacks, best.stack] });
  }
  return [...ways.at(-1)!.stacks];
}

export function countHighestStackLines(stacks: readonly ColumnStack[]): number {
  return Math.max(1, ...stacks.map(({ first, end }) => end - first));
}

export function sumStackWidthsMilliEm(stacks: readonly ColumnStack[]): number {
  return stacks.reduce((total, stack) => total + stack.em + columnGapMilliEm, -columnGapMilliEm);
}
