export const columnGap = 1000;

/** Adjacent columns that are stacked: the cells of a record are below each other. `em` is the width of the widest column. */
export interface Stack {
  readonly first: number;
  readonly end: number;
  readonly em: number;
}

export interface StackedColumn {
  readonly em: number;
  /** Edge to which values are aligned. Columns aligned to different edges are never stacked. */
  readonly edge: "left" | "right" | "either";
}

/** Divides the columns, in order, into stacks of at most `lines` columns, so that the table is as narrow as possible. */
export function findNarrowestStacks(columns: readonly StackedColumn[], lines: number): Stack[] {
  /** The narrowest division of the first n columns, by n. */
  const ways: { readonly em: number; readonly stacks: readonly Stack[] }[] = [{ em: -columnGap, stacks: [] }];
  for (let end = 1; end <= columns.length; end++) {
    const last = listStacksBefore(columns, end, lines).map((stack) => {
      const before = ways[stack.first]!;
      return { em: before.em + columnGap + stack.em, stacks: [...before.stacks, stack] };
    });
    ways.push(last.reduce((best, way) => (way.em < best.em ? way : best)));
  }
  return [...ways.at(-1)!.stacks];
}

/** Lists every stack that can end before column `end`, the smallest first. */
function listStacksBefore(columns: readonly StackedColumn[], end: number, lines: number): Stack[] {
  const stacks: Stack[] = [];
  for (let first = end - 1; first >= Math.max(0, end - lines); first--) {
    const own = columns.slice(first, end);
    if (own.some(({ edge }) => edge === "left") && own.some(({ edge }) => edge === "right")) break;
    stacks.push({ first, end, em: Math.max(...own.map(({ em }) => em)) });
  }
  return stacks;
}

export function countLines(stacks: readonly Stack[]): number {
  return Math.max(1, ...stacks.map(({ first, end }) => end - first));
}

export function totalWidthEm(stacks: readonly Stack[]): number {
  return stacks.reduce((total, stack) => total + stack.em + columnGap, -columnGap);
}
