import type { ValueMeanings } from "../meanings.ts";
import { wrapText, type PdfCanvas } from "./pdf-canvas.ts";
import { drawHeading, measureHeadingHeight } from "./heading.ts";
import type { PdfOutline } from "./pdf-outline.ts";
import type { PageFlow } from "./page-flow.ts";
import { pageMarginPoints } from "./paper-size.ts";

const fontSize = 8;
const lineHeight = 11;
const groupGap = 8;
const labelGap = 10;
const columnGap = 28;
const gapBelow = 18;
const maxLabelShare = 0.4;
const minWidthOfTwo = 600;

interface Entry {
  readonly label: readonly string[];
  readonly meaning: readonly string[];
  readonly height: number;
}

interface Group {
  readonly title: string;
  readonly labelWidth: number;
  readonly entries: readonly Entry[];
  readonly height: number;
}

export interface ValueLegend {
  /** Reports whether the legend fits on the open page without moving the following `height` points of content to the next page. */
  fitsAbove(height: number): boolean;
  /** Writes the legend, on the next page if it does not fit. A legend that is higher than a page continues on the next pages. */
  write(): Promise<void>;
}

export function layOutValueLegend(
  flow: PageFlow,
  outline: PdfOutline,
  columns: readonly ValueMeanings[],
): ValueLegend | null {
  if (columns.length === 0) return null;
  const { canvas, size, words } = flow;
  const title = words.text("meanings");
  const heading = measureHeadingHeight(canvas, title, size.contentWidth);
  const pageHeight = size.height - pageMarginPoints.top - pageMarginPoints.bottom;
  const half = (size.contentWidth - columnGap) / 2;
  const layOut = (width: number): Group[] => columns.map((column) => layOutGroup(canvas, column, width));
  const two = size.contentWidth >= minWidthOfTwo && columns.length > 1 ? splitGroups(layOut(half)) : null;
  const isTwo = two !== null && heading + heightOf(two) <= pageHeight;
  const sides = isTwo ? two : [layOut(size.contentWidth)];
  const height = heading + heightOf(sides);
  return {
    fitsAbove: (below) => flow.fits(height) && (!flow.fits(below) || flow.fits(height + gapBelow + below)),
    async write() {
      const first = sides[0]![0]!;
      const start = height <= pageHeight ? height : heading + lineHeight + first.entries[0]!.height;
      if (!flow.fits(start)) await flow.nextPage();
      drawHeading(flow, outline, title);
      const top = flow.y;
      for (const [at, groups] of sides.entries()) {
        if (isTwo) flow.y = top;
        await drawGroups(flow, groups, pageMarginPoints.left + at * (half + columnGap));
      }
      flow.y = (isTwo ? top + heightOf(sides) : flow.y - groupGap) + gapBelow;
    },
  };
}

function layOutGroup(canvas: PdfCanvas, { title, values }: ValueMeanings, width: number): Group {
  const widest = Math.max(...values.map((value) => canvas.width(value.title, fontSize, true)));
  // `labelWidth - labelGap` can be a rounding error smaller than the widest label, which would then wrap.
  const labelSpace = Math.min(widest, width * maxLabelShare);
  const labelWidth = labelSpace + labelGap;
  const entries = values.map((value): Entry => {
    const label = wrapText(canvas, value.title, fontSize, labelSpace, true);
    const meaning = wrapText(canvas, value.meaning, fontSize, width - labelWidth);
    return { label, meaning, height: Math.max(label.length, meaning.length) * lineHeight };
  });
  return { title, labelWidth, entries, height: lineHeight + entries.reduce((sum, entry) => sum + entry.height, 0) };
}

function heightOf(sides: readonly (readonly Group[])[]): number {
  return Math.max(...sides.map((groups) => groups.reduce((sum, { height }) => sum + height + groupGap, -groupGap)));
}

function splitGroups(groups: readonly Group[]): readonly (readonly Group[])[] {
  const splits = groups.slice(1).map((_, at) => [groups.slice(0, at + 1), groups.slice(at + 1)]);
  return splits.reduce((best, split) => (heightOf(split) < heightOf(best) ? split : best));
}

async function drawGroups(flow: PageFlow, groups: readonly Group[], x: number): Promise<void> {
  const { structure } = flow;
  for (const { title, labelWidth, entries } of groups) {
    if (!flow.fits(lineHeight + entries[0]!.height)) await flow.nextPage();
    const baseline = (line: number): number => flow.y + line * lineHeight + fontSize;
    const { ink, muted } = flow.canvas.palette;
    flow.tag("P", () => flow.canvas.text(x, baseline(0), title, { size: fontSize, colour: muted }));
    flow.y += lineHeight;
    const list = structure?.open("L");
    for (const { label, meaning, height } of entries) {
      if (!flow.fits(height)) await flow.nextPage();
      const item = structure?.open("LI", list);
      const drawLines = (lines: readonly string[], left: number, bold: boolean): void =>
        lines.forEach((line, at) => flow.canvas.text(left, baseline(at), line, { size: fontSize, colour: ink, bold }));
      flow.tag("Lbl", () => drawLines(label, x, true), item);
      flow.tag("LBody", () => drawLines(meaning, x + labelWidth, false), item);
      if (item !== undefined) structure?.close(item);
      flow.y += height;
    }
    if (list !== undefined) structure?.close(list);
    flow.y += groupGap;
  }
}
