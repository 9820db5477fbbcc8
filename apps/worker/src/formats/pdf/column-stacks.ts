/** Thousandths of an em between columns. */
export const columnGap = 1000;

/** Neighbours that stand below each other, as wide as the widest of them. */
export interface Stack {
  readonly first: number;
  readonly end: number;
  readonly em: number;
}

/** What decides where a column can stand. */
export interface StackedColumn {
  readonly em: number;
  /** The edge that its values are flush with: columns of different edges never stand below each other. */
  readonly edge: "left" | "right" | "either";
}

/** Divides the columns, in their order, into stacks of at most so many lines, and those so that the table is narrowest. */
export function narrowestStacks(columns: readonly StackedColumn[], lines: number): Stack[] {
  /** By the number of columns in them: the narrowest way. */
  const ways: { readonly em: number; readonly stacks: readonly Stack[] }[] = [{ em: -columnGap, stacks: [] }];
  for (let end = 1; end <= columns.length; end++) {
    const last = stacksBefore(columns, end, lines).map((stack) => {
      const before = ways[stack.first]!;
      return { em: before.em + columnGap + stack.em, stacks: [...before.stacks, stack] };
    });
    ways.push(last.reduce((best, way) => (way.em < best.em ? way : best)));
  }
  return [...ways.at(-1)!.stacks];
}

/** Every stack that can end there, the lowest first. */
function stacksBefore(columns: readonly StackedColumn[], end: number, lines: number): Stack[] {
  const stacks: Stack[] = [];
  for (let first = end - 1; first >= Math.max(0, end - lines); first--) {
    const own = columns.slice(first, end);
    if (own.some(({ edge }) => edge === "left") && own.some(({ edge }) => edge === "right")) break;
    stacks.push({ first, end, em: Math.max(...own.map(({ em }) => em)) });
  }
  return stacks;
}

/** Lines of a record that is stacked so. */
export function linesOf(stacks: readonly Stack[]): number {
  return Math.max(1, ...stacks.map(({ first, end }) => end - first));
}

/** Width of the table that the stacks make. */
export function totalEm(stacks: readonly Stack[]): number {
  return stacks.reduce((total, stack) => total + stack.em + columnGap, -columnGap);
}
