/** Width between columns, in thousandths of an em. */
export const columnGap = 1000;

/** Adjacent columns whose cells are below each other. `em` is the width of the widest column, in thousandths of an em. */
export interface Stack {
  readonly first: number;
  readonly end: number;
  readonly em: number;
}

export interface StackedColumn {
  readonly em: number;
  /** Edge to which values are aligned. Left and right are never stacked together, and `alone` never at all: its title must be directly above. */
  readonly edge: "left" | "right" | "either" | "alone";
}

export function findNarrowestStacks(columns: readonly StackedColumn[], lines: number): Stack[] {
  return divideColumns(columns, lines, {
    gap: columnGap,
    stackWidth: (own) => (isStackable(own) ? Math.max(...own.map(({ em }) => em)) : null),
  });
}

function isStackable(columns: readonly StackedColumn[]): boolean {
  const has = (edge: StackedColumn["edge"]): boolean => columns.some((column) => column.edge === edge);
  return columns.length === 1 || !(has("alone") || (has("left") && has("right")));
}

export interface Division<Item> {
  readonly gap: number;
  /** Returns the width of a stack; null for items that must not be stacked. */
  readonly stackWidth: (items: readonly Item[]) => number | null;
  /** Cost of a stack with one line less than `lines`, as a width. It grows with the square of the missing lines, so that stacks are equally high. */
  readonly missingLine?: number;
}

/** Divides items, in order, into stacks of at most `lines` items, so that the sum of widths, gaps and costs of missing lines is smallest. */
export function divideColumns<Item>(
  items: readonly Item[],
  lines: number,
  { gap, stackWidth, missingLine = 0 }: Division<Item>,
): Stack[] {
  const ways: { readonly cost: number; readonly stacks: readonly Stack[] }[] = [{ cost: -gap, stacks: [] }];
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

export function countLines(stacks: readonly Stack[]): number {
  return Math.max(1, ...stacks.map(({ first, end }) => end - first));
}

export function totalWidthEm(stacks: readonly Stack[]): number {
  return stacks.reduce((total, stack) => total + stack.em + columnGap, -columnGap);
}
