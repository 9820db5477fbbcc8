import type { Figure } from "@reports/core";
import type { Canvas } from "./canvas.ts";
import { createCellFormat, nullText } from "./cell-format.ts";
import type { NumberFormat } from "../number-format.ts";
import { muted, rule, toneFill, toneText } from "./palette.ts";
import { drawToneMark } from "./tone-mark.ts";

const cardGap = 10;
const cardHeight = 44;
const mostInRow = 5;

/** Points that the key figures take from top to bottom. */
export function figuresHeight(count: number): number {
  return Math.ceil(count / mostInRow) * (cardHeight + cardGap);
}

/** Draws the key figures as cards: a large number, what it counts, and a sign where it is good or bad news. */
export function drawFigures(
  canvas: Canvas,
  figures: readonly Figure[],
  area: { x: number; y: number; width: number },
  conventions: { readonly numbers: NumberFormat; readonly timezone: string },
): void {
  const rows = Math.ceil(figures.length / mostInRow);
  const inRow = Math.ceil(figures.length / rows);
  const width = (area.width - (inRow - 1) * cardGap) / inRow;
  figures.forEach((figure, at) => {
    const x = area.x + (at % inRow) * (width + cardGap);
    const y = area.y + Math.floor(at / inRow) * (cardHeight + cardGap);
    canvas.outline(x, y, width, cardHeight, rule, 0.7);
    canvas.fill(x, y, 3, cardHeight, toneFill[figure.tone]);
    const value = figure.value === null ? nullText : createCellFormat(figure, conventions)(figure.value);
    const signed = figure.tone !== "neutral" && figure.tone !== "muted";
    canvas.text(x + 12, y + 23, value, {
      size: 18,
      bold: true,
      colour: toneText[figure.tone],
      maxWidth: width - (signed ? 34 : 20),
    });
    if (signed) drawToneMark(canvas, x + width - 12, y + 14, figure.tone, 3.6);
    canvas.text(x + 12, y + 36, figure.title, { size: 8, colour: muted, maxWidth: width - 20 });
  });
}
