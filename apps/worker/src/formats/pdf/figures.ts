import type { Figure, Tone } from "@reports/core/report";
import type { PdfCanvas } from "./pdf-canvas.ts";
import { createCellFormatter, nullCellText, type CellFormatContext } from "./cell-formatter.ts";
import type { PageFlow } from "./page-flow.ts";
import type { StructureElement } from "./structure-tree.ts";
import { drawToneMark } from "./tone-mark.ts";

const cardGap = 10;
const cardHeight = 44;
const valueFontSize = 18;
const titleFontSize = 8;
const cardPadding = 22;
const signWidth = 14;
const minCardWidth = 62;

interface Card {
  readonly figure: Figure;
  /** The figure's tone, but neutral instead of bad or warn if the value is zero. */
  readonly tone: Tone;
  readonly value: string;
  readonly isSigned: boolean;
  readonly needed: number;
}

interface PlacedCard extends Card {
  readonly x: number;
  readonly width: number;
}

export interface FigureCardRows {
  readonly rows: readonly (readonly PlacedCard[])[];
  readonly height: number;
}

export function arrangeFigureCards(
  canvas: PdfCanvas,
  figures: readonly Figure[],
  width: number,
  conventions: CellFormatContext,
): FigureCardRows {
  const cards = figures.map((figure) => createCard(canvas, figure, conventions));
  const fits = (row: readonly Card[]): boolean => neededWidth(row) <= width;
  let rows = [cards];
  for (let count = 2; !rows.every(fits) && count <= cards.length; count++) rows = splitIntoRows(cards, count);
  return { rows: rows.map((row) => placeRow(row, width)), height: rows.length * (cardHeight + cardGap) };
}

function placeRow(row: readonly Card[], width: number): PlacedCard[] {
  const spare = Math.max(0, width - neededWidth(row)) / row.length;
  let x = 0;
  return row.map((card) => {
    const placed = { ...card, x, width: Math.min(card.needed + spare, width) };
    x += placed.width + cardGap;
    return placed;
  });
}

export function drawFigures(
  flow: PageFlow,
  { rows }: FigureCardRows,
  area: { readonly x: number; readonly y: number },
): void {
  const list = flow.structure?.open("L");
  rows.forEach((row, at) => {
    const y = area.y + at * (cardHeight + cardGap);
    for (const card of row) drawCard(flow, card, { x: area.x + card.x, y, list });
  });
  if (list !== undefined) flow.structure?.close(list);
}

function drawCard(
  flow: PageFlow,
  { figure, tone, value, isSigned, width }: PlacedCard,
  at: { readonly x: number; readonly y: number; readonly list: StructureElement | undefined },
): void {
  const { canvas, structure } = flow;
  const { x, y } = at;
  canvas.outline(x, y, width, cardHeight, canvas.palette.rule, 0.7);
  canvas.fill(x, y, 3, cardHeight, canvas.palette.toneFill[tone]);
  if (isSigned) drawToneMark(canvas, x + width - 12, y + 14, tone, 3.6);
  const room = width - cardPadding - (isSigned ? signWidth : 0);
  // A number that does not fit is written smaller and never cut.
  const share = Math.min(1, room / Math.max(1, canvas.width(value, valueFontSize, true)));
  const size = Math.floor(valueFontSize * share * 10) / 10;
  const title = { size: titleFontSize, colour: canvas.palette.muted, maxWidth: width - cardPadding };
  const item = structure?.open("LI", at.list);
  flow.tag("Lbl", () => canvas.text(x + 12, y + 36, figure.title, title), item);
  flow.tag(
    "LBody",
    () => canvas.text(x + 12, y + 23, value, { size, bold: true, colour: canvas.palette.toneText[tone] }),
    item,
  );
  if (item !== undefined) structure?.close(item);
}

function createCard(canvas: PdfCanvas, figure: Figure, conventions: CellFormatContext): Card {
  const value = figure.value === null ? nullCellText : createCellFormatter(figure, conventions)(figure.value);
  const isNothing = figure.value !== null && Number(figure.value) === 0;
  const tone = isNothing && (figure.tone === "bad" || figure.tone === "warn") ? "neutral" : figure.tone;
  const isSigned = tone !== "neutral" && tone !== "muted";
  const needed = Math.max(
    minCardWidth,
    canvas.width(value, valueFontSize, true) + cardPadding + (isSigned ? signWidth : 0),
    canvas.width(figure.title, titleFontSize) + cardPadding,
  );
  return { figure, tone, value, isSigned, needed };
}

function splitIntoRows(cards: readonly Card[], count: number): Card[][] {
  const startOf = (row: number): number => Math.ceil((cards.length * row) / count);
  return Array.from({ length: count }, (_, row) => cards.slice(startOf(row), startOf(row + 1)));
}

function neededWidth(row: readonly Card[]): number {
  return row.reduce((sum, { needed }) => sum + needed + cardGap, -cardGap);
}
