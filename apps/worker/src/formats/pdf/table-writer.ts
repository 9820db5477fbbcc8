import { unitsPerPoint, type PdfCanvas } from "./pdf-canvas.ts";
import { computeCardBaseline, drawCardLabels } from "./card-labels.ts";
import { nullCellText } from "./cell-formatter.ts";
import { formatCell } from "./column-width-estimate.ts";
import { breakTextAtWidth, fitCellText, type FittedText } from "./fit-cell-text.ts";
import { parseHttpsUrl } from "../https-link.ts";
import type { NumberFormatter } from "../number-formatter.ts";
import type { PageFlow } from "./page-flow.ts";
import { pageMarginPoints } from "./paper-size.ts";
import type { PdfColour } from "./pdf-palette.ts";
import { drawColumnTitles } from "./table-header.ts";
import type { PlacedColumn, TableLayout } from "./row-layout.ts";
import { CellLinkCollector } from "./cell-link-collector.ts";
import { TableTagWriter } from "./table-tag-writer.ts";
import { createValueStyleLookup, type ValueStyleLookup } from "./value-style-lookup.ts";

interface Cell {
  readonly column: PlacedColumn;
  readonly at: number;
  readonly styles: ValueStyleLookup | undefined;
  readonly colour: PdfColour;
  readonly downUnits: number;
}

/** Writes a table over several pages. It is a class, because V8 compiles methods once per process, but closures once per document. */
export class TableWriter {
  readonly #flow: PageFlow;
  readonly #canvas: PdfCanvas;
  readonly #layout: TableLayout;
  readonly #numbers: NumberFormatter;
  readonly #onPage: () => void;
  readonly #header: number;
  readonly #tags: TableTagWriter | undefined;
  readonly #cells: readonly Cell[];
  readonly #leading: PlacedColumn | undefined;
  readonly #size: number;
  readonly #lineUnits: number;
  readonly #baseline: number;
  readonly #isCards: boolean;
  readonly #links: CellLinkCollector;
  #striped = false;
  #isLabelled = false;

  constructor(flow: PageFlow, layout: TableLayout, numbers: NumberFormatter, onPage: () => void = () => undefined) {
    this.#flow = flow;
    this.#canvas = flow.canvas;
    this.#layout = layout;
    this.#numbers = numbers;
    this.#onPage = onPage;
    this.#header = flow.reserveForm();
    this.#tags = flow.structure && new TableTagWriter(flow, flow.structure, layout.columns.length);
    this.#isCards = layout.labels !== null;
    const { palette } = flow.canvas;
    const down = (line: number): number => line * layout.lineHeight + (line > 0 ? layout.firstLineGap : 0);
    // Cells are written line by line, because most cells of a line have the same colour, so the colour changes less often.
    this.#cells = layout.columns
      .map((column, at) => ({
        column,
        at,
        styles: createValueStyleLookup(column, palette),
        colour: column.line === 0 || this.#isCards ? palette.ink : palette.muted,
        downUnits: Math.round(down(column.line) * unitsPerPoint),
      }))
      .toSorted((a, b) => a.column.line - b.column.line);
    this.#leading = layout.columns[0];
    this.#size = Math.round(layout.size * unitsPerPoint);
    this.#lineUnits = Math.round(layout.lineHeight * unitsPerPoint);
    this.#links = new CellLinkCollector(flow, this.#tags, this.#lineUnits);
    this.#baseline = this.#isCards
      ? computeCardBaseline(layout.size)
      : layout.size * 1.06 + (layout.linesPerRow > 1 ? 3 : 1.75);
  }

  startHeight(rows: number): number {
    return (
      this.#layout.headerHeight + (this.#isCards ? 0 : 1) + rows * this.#layout.rowHeight + this.#layout.secondLine
    );
  }

  async begin(rows: number): Promise<void> {
    if (!this.#flow.fits(this.startHeight(rows))) {
      await this.#flow.nextPage();
      this.#onPage();
    }
    this.#beginTable();
  }

  /** Reports whether `together` rows, of which `row` is the first, fit on the open page. If not, call `nextPage` before `row`. */
  fits(row: readonly (string | null)[], together = 1): boolean {
    const { rowHeight, secondLine } = this.#layout;
    if (this.#flow.fits(together * (rowHeight + secondLine))) return true;
    return together === 1 && this.#flow.fits(rowHeight) && !this.#isTall(row);
  }

  async nextPage(): Promise<void> {
    this.#tags?.endPage();
    await this.#flow.nextPage();
    this.#onPage();
    this.#drawHeader();
  }

  row(row: readonly (string | null)[]): void {
    const flow = this.#flow;
    const canvas = this.#canvas;
    const { palette, pen } = canvas;
    const { buffer } = pen;
    const tags = this.#tags;
    const size = this.#size;
    const leading = this.#leading;
    const background = this.#drawBackground();
    const top = canvas.unitsUp(flow.y + this.#baseline);
    let lastX = 0;
    let lastY = 0;
    let colour = "";
    let isTall = false;
    tags?.beginRow();
    buffer.ascii("BT ");
    for (const { column, at, styles, colour: plain, downUnits } of this.#cells) {
      const value = row[column.field] ?? null;
      if (value === "") continue;
      const style = value === null ? undefined : styles?.get(value);
      let text = value === null ? nullCellText : (style?.text ?? formatCell(column, row) ?? nullCellText);
      const bold = column === leading || style?.isBold === true;
      const url = column.linkField < 0 || value === null ? null : parseHttpsUrl(row[column.linkField] ?? "");
      const wanted = value === null ? palette.faint : (style?.colour ?? (url === null ? plain : palette.accent));
      if (wanted !== colour) {
        colour = wanted;
        buffer.ascii(colour);
        buffer.ascii(" rg\n");
      }
      let x = column.leftUnits;
      let cellSize = size;
      let lines: readonly string[] | undefined;
      if (column.right || column.isCentered) {
        let width = pen.measure(text, bold);
        if (width > column.maxEm && value !== null) {
          ({ text, size: cellSize } = this.#fit(column, value, text, bold, row[column.currencyField]));
          width = Math.min(pen.measure(text, bold), (column.maxEm * size) / cellSize);
        }
        const spare = column.rightUnits - column.leftUnits - Math.round((width * cellSize) / 1000);
        x += column.right ? spare : Math.round(spare / 2);
      }
      const y = top - downUnits;
      buffer.integer(x - lastX);
      buffer.integer(y - lastY);
      buffer.ascii("Td ");
      lastX = x;
      lastY = y;
      tags?.beginCell(at, url !== null);
      // Left-aligned values are not measured first. They are written, and undone if they are too wide.
      const isTried = column.isMeasured && !column.right && !column.isCentered && value !== null;
      const isWhole = isTried && pen.showWhole(text, bold, size, column.maxEm);
      if (isTried && !isWhole && column.wraps) {
        lines = this.#showTwoLines(column, value, text, bold);
        lastY -= this.#lineUnits;
        isTall ||= this.#isExtended(column);
      } else if (!isWhole) {
        if (isTried) ({ text, size: cellSize } = this.#fit(column, value, text, bold, row[column.currencyField]));
        pen.show(text, bold, cellSize, cellSize === size ? column.maxEm : Infinity);
      }
      if (url !== null) {
        const title = column.format(value!);
        this.#links.add({ at, column, url, title, lines: lines ?? [text], bold, size: cellSize, x, y });
      }
      if (tags !== undefined) buffer.ascii("EMC ");
    }
    buffer.ascii("ET\n");
    this.#links.annotate();
    tags?.endRow();
    this.#links.underline();
    const height = this.#layout.rowHeight + (isTall ? this.#layout.secondLine : 0);
    if (background !== null) canvas.setHeight(background, height);
    flow.y += height;
  }

  #showTwoLines(column: PlacedColumn, value: string, text: string, bold: boolean): readonly string[] {
    const { pen } = this.#canvas;
    const [first, rest] = breakTextAtWidth(pen, text, bold, column.maxEm);
    pen.show(first, bold, this.#size, column.maxEm);
    pen.buffer.integer(0);
    pen.buffer.integer(-this.#lineUnits);
    pen.buffer.ascii("Td ");
    if (pen.showWhole(rest, bold, this.#size, column.maxEm)) return [first, rest];
    const { text: shortened } = this.#fit(column, value, rest, bold);
    pen.show(shortened, bold, this.#size, column.maxEm);
    return [first, shortened];
  }

  #isExtended({ line }: PlacedColumn): boolean {
    return line === this.#layout.linesPerRow - 1;
  }

  #isTall(row: readonly (string | null)[]): boolean {
    return this.#layout.columns.some((column) => {
      const value = row[column.field] ?? null;
      if (!column.wraps || value === null || !this.#isExtended(column)) return false;
      return this.#canvas.pen.measure(column.format(value), column === this.#leading) > column.maxEm;
    });
  }

  async finish(): Promise<void> {
    this.#tags?.end();
    await this.#flow.writeForm(this.#header, (form) => {
      this.#flow.clippedTitles += this.#drawTitles(form, 0, (_, draw) => draw());
    });
  }

  /** Draws the titles and returns how many were shortened. The pen does not count them, because a table repeats them. */
  #drawTitles(canvas: PdfCanvas, top: number, drawCell: (column: number, draw: () => void) => void): number {
    const { pen } = canvas;
    const before = pen.clippedCount;
    (this.#isCards ? drawCardLabels : drawColumnTitles)(canvas, this.#layout, { top, drawCell });
    const clipped = pen.clippedCount - before;
    pen.clippedCount = before;
    return clipped;
  }

  /** Returns the offset in the buffer at which `setHeight` later writes the row's height; null if the row has no background. */
  #drawBackground(): number | null {
    const { y } = this.#flow;
    if (this.#isCards) {
      if (!this.#isLabelled) this.#canvas.place(this.#header, 0, y);
      this.#isLabelled = false;
      return null;
    }
    this.#striped = !this.#striped;
    if (this.#striped) return null;
    return this.#canvas.fillBelow(pageMarginPoints.left, y, this.#layout.width, this.#canvas.palette.zebra);
  }

  #fit(column: PlacedColumn, value: string, text: string, bold: boolean, code: string | null = null): FittedText {
    const { column: definition, maxEm } = column;
    const given = { column: definition, value, code, text, bold, size: this.#size, maxEm, numbers: this.#numbers };
    return fitCellText(this.#canvas.pen, given);
  }

  #drawHeader(): void {
    if (this.#isCards) return;
    this.#canvas.place(this.#header, 0, this.#flow.y);
    this.#belowHeader();
  }

  #beginTable(): void {
    if (this.#tags === undefined) return this.#drawHeader();
    this.#tags.begin((drawCell) => this.#drawTitles(this.#canvas, this.#flow.y, drawCell));
    this.#isLabelled = true;
    if (!this.#isCards) this.#belowHeader();
  }

  #belowHeader(): void {
    this.#flow.y += this.#layout.headerHeight + 1;
    this.#striped = false;
  }
}
