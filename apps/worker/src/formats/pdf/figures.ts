import type { Figure, Tone } from "@reports/core";
import type { Canvas } from "./canvas.ts";
import { createCellFormat, nullText, type CellConventions } from "./cell-format.ts";
import type { PageFlow } from "./page-flow.ts";
import { drawToneMark } from "./tone-mark.ts";

const cardGap = 10;
const cardHeight = 44;
const valueSize = 18;
const titleSize = 8;
/** Space within a card, and for its sign. */
const padding = 22;
const signWidth = 14;
const leastWidth = 62;

interface Card {
  readonly figure: Figure;
  /** That of the figure, but that a count of nothing is no bad news. */
  readonly tone: Tone;
  readonly value: string;
  readonly isSigned: boolean;
  /** Points that it takes to be seen whole. */
  readonly needed: number;
}

/** Key figures that have their place: rows of cards, as few as hold them. */
export interface FigureRows {
  readonly rows: readonly (readonly Card[])[];
  /** Points from top to bottom. */
  readonly height: number;
}

/** Shares a width among key figures: a large number takes more of it than a small one. */
export function arrangeFigures(
  canvas: Canvas,
  figures: readonly Figure[],
  width: number,
  conventions: CellConventions,
): FigureRows {
  const cards = figures.map((figure) => cardOf(canvas, figure, conventions));
  const fits = (row: readonly Card[]): boolean => neededBy(row) <= width;
  let rows = [cards];
  for (let count = 2; !rows.every(fits) && count <= cards.length; count++) rows = inRows(cards, count);
  return { rows, height: rows.length * (cardHeight + cardGap) };
}

/** Draws the key figures: a large number, what it counts, and a sign where it is good or bad news. */
export function drawFigures(
  flow: PageFlow,
  { rows }: FigureRows,
  area: { readonly x: number; readonly y: number; readonly width: number },
): void {
  rows.forEach((row, at) => {
    // Rows that are not full do not have wider cards.
    const most = Math.max(...rows.map(({ length }) => length));
    const spare = Math.max(0, area.width - neededBy(row)) / Math.max(row.length, rows.length > 1 ? most : 1);
    const y = area.y + at * (cardHeight + cardGap);
    let { x } = area;
    for (const card of row) {
      const width = Math.min(card.needed + spare, area.width);
      drawCard(flow, card, { x, y, width });
      x += width + cardGap;
    }
  });
}

function drawCard(
  flow: PageFlow,
  { figure, tone, value, isSigned }: Card,
  at: { x: number; y: number; width: number },
): void {
  const { canvas } = flow;
  const { x, y, width } = at;
  canvas.outline(x, y, width, cardHeight, canvas.palette.rule, 0.7);
  canvas.fill(x, y, 3, cardHeight, canvas.palette.toneFill[tone]);
  if (isSigned) drawToneMark(canvas, x + width - 12, y + 14, tone, 3.6);
  const room = width - padding - (isSigned ? signWidth : 0);
  // A number is set smaller rather than cut.
  const share = Math.min(1, room / Math.max(1, canvas.width(value, valueSize, true)));
  const size = Math.floor(valueSize * share * 10) / 10;
  flow.tag("P", () => {
    canvas.text(x + 12, y + 23, value, { size, bold: true, colour: canvas.palette.toneText[tone] });
    canvas.text(x + 12, y + 36, figure.title, {
      size: titleSize,
      colour: canvas.palette.muted,
      maxWidth: width - padding,
    });
  });
}

function cardOf(canvas: Canvas, figure: Figure, conventions: CellConventions): Card {
  const value = figure.value === null ? nullText : createCellFormat(figure, conventions)(figure.value);
  const isNothing = figure.value !== null && Number(figure.value) === 0;
  const tone = isNothing && (figure.tone === "bad" || figure.tone === "warn") ? "neutral" : figure.tone;
  const isSigned = tone !== "neutral" && tone !== "muted";
  const needed = Math.max(
    leastWidth,
    canvas.width(value, valueSize, true) + padding + (isSigned ? signWidth : 0),
    canvas.width(figure.title, titleSize) + padding,
  );
  return { figure, tone, value, isSigned, needed };
}

/** So many rows, the first of them the longest. */
function inRows(cards: readonly Card[], count: number): Card[][] {
  const most = Math.ceil(cards.length / count);
  return Array.from({ length: Math.ceil(cards.length / most) }, (_, at) => cards.slice(at * most, (at + 1) * most));
}

function neededBy(row: readonly Card[]): number {
  return row.reduce((sum, { needed }) => sum + needed + cardGap, -cardGap);
}
