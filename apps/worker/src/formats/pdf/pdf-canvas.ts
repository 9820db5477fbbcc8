import type { PdfColour, PdfPalette } from "./pdf-palette.ts";
import type { PdfTextPen } from "./pdf-text-pen.ts";

export const unitsPerPoint = 10;

export interface DrawTextOptions {
  readonly size: number;
  readonly bold?: boolean;
  readonly colour?: PdfColour;
  readonly align?: "left" | "right" | "centre";
  /** Maximum width in points. A longer text is cut and ends in an ellipsis. */
  readonly maxWidth?: number;
}

export class PdfCanvas {
  readonly pen: PdfTextPen;
  readonly #height: number;
  readonly forms = new Set<number>();

  readonly palette: PdfPalette;

  constructor(pen: PdfTextPen, height: number, palette: PdfPalette) {
    this.pen = pen;
    this.palette = palette;
    this.#height = height;
  }

  unitsUp(y: number): number {
    return Math.round((this.#height - y) * unitsPerPoint);
  }

  fill(x: number, y: number, width: number, height: number, colour: PdfColour): void {
    this.pen.buffer.ascii(`${colour} rg `);
    this.#rectangle(x, y, width, height);
    this.pen.buffer.ascii("f ");
  }

  /** Fills an area whose height is not yet known, behind the content drawn after it. Returns the position that `setHeight` needs. */
  fillBelow(x: number, y: number, width: number, colour: PdfColour): number {
    const { buffer } = this.pen;
    buffer.ascii(`${colour} rg `);
    buffer.integer(x * unitsPerPoint);
    buffer.integer(this.unitsUp(y));
    buffer.integer(width * unitsPerPoint);
    const at = buffer.length + 1;
    buffer.ascii("-00000 re f ");
    return at;
  }

  setHeight(at: number, height: number): void {
    let rest = Math.round(height * unitsPerPoint);
    for (let digit = at + 4; digit >= at; digit--) {
      this.pen.buffer.bytes[digit] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
  }

  outline(x: number, y: number, width: number, height: number, colour: PdfColour, lineWidth = 0.6): void {
    this.pen.buffer.ascii(`${colour} RG ${lineWidth * unitsPerPoint} w `);
    this.#rectangle(x, y, width, height);
    this.pen.buffer.ascii("S ");
  }

  path(
    points: readonly (readonly [number, number])[],
    colour: PdfColour,
    options: { fill?: boolean; lineWidth?: number } = {},
  ): void {
    const { buffer } = this.pen;
    buffer.ascii(`${colour} ${options.fill ? "rg" : "RG"} ${(options.lineWidth ?? 0.6) * unitsPerPoint} w `);
    points.forEach(([x, y], at) => {
      buffer.integer(x * unitsPerPoint);
      buffer.integer(this.unitsUp(y));
      buffer.ascii(at === 0 ? "m " : "l ");
    });
    buffer.ascii(options.fill ? "f " : "S ");
  }

  /** Fills an area with diagonal lines, so that it differs from other areas even in a print without colours. */
  hatch(x: number, y: number, width: number, height: number, colour: PdfColour): void {
    const { buffer } = this.pen;
    buffer.ascii("q ");
    this.#rectangle(x, y, width, height);
    buffer.ascii("W n ");
    for (let offset = -height; offset < width; offset += 4) {
      this.path(
        [
          [x + offset, y + height],
          [x + offset + height, y],
        ],
        colour,
        { lineWidth: 0.9 },
      );
    }
    buffer.ascii("Q ");
  }

  text(x: number, y: number, line: string, setting: DrawTextOptions): number {
    const { pen } = this;
    const isBroken = line.endsWith(" ");
    const text = isBroken ? line.slice(0, -1) : line;
    const bold = setting.bold ?? false;
    const size = Math.round(setting.size * unitsPerPoint);
    const maxWidth = setting.maxWidth === undefined ? Infinity : (setting.maxWidth * 1000) / setting.size;
    let left = x;
    if (setting.align === "right" || setting.align === "centre") {
      const width = (Math.min(pen.measure(text, bold), maxWidth) * setting.size) / 1000;
      left -= setting.align === "right" ? width : width / 2;
    }
    pen.buffer.ascii(`BT ${setting.colour ?? this.palette.ink} rg `);
    pen.buffer.integer(left * unitsPerPoint);
    pen.buffer.integer(this.unitsUp(y));
    pen.buffer.ascii("Td ");
    let width = pen.show(text, bold, size, maxWidth);
    if (isBroken) width += pen.show(" ", bold, size);
    pen.buffer.ascii("ET\n");
    return (width * setting.size) / 1000;
  }

  width(text: string, size: number, bold = false): number {
    return (this.pen.measure(text, bold) * size) / 1000;
  }

  /** Draws a form XObject (ISO 32000-1 §8.10) with its origin at the point. The form itself may be written later. */
  place(form: number, x: number, y: number): void {
    this.forms.add(form);
    const { buffer } = this.pen;
    buffer.ascii("q 1 0 0 1 ");
    buffer.integer(x * unitsPerPoint);
    buffer.integer(this.unitsUp(y));
    buffer.ascii(`cm /X${form} Do Q\n`);
  }

  image(form: number, x: number, y: number, width: number, height: number): void {
    this.forms.add(form);
    const { buffer } = this.pen;
    buffer.ascii("q ");
    buffer.integer(width * unitsPerPoint);
    buffer.ascii("0 0 ");
    buffer.integer(height * unitsPerPoint);
    buffer.integer(x * unitsPerPoint);
    buffer.integer(this.unitsUp(y + height));
    buffer.ascii(`cm /X${form} Do Q\n`);
  }

  #rectangle(x: number, y: number, width: number, height: number): void {
    const { buffer } = this.pen;
    buffer.integer(x * unitsPerPoint);
    buffer.integer(this.unitsUp(y + height));
    buffer.integer(width * unitsPerPoint);
    buffer.integer(height * unitsPerPoint);
    buffer.ascii("re ");
  }
}

/** Wraps text at spaces, and within words that are wider than a line. Lines keep their final space, so that the joined lines equal the text. */
export function wrapText(canvas: PdfCanvas, text: string, size: number, maxWidth: number, bold = false): string[] {
  const fits = (candidate: string): boolean => canvas.width(candidate, size, bold) <= maxWidth;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(`${line} `);
    line = "";
    for (const character of word) {
      if (line !== "" && !fits(line + character)) {
        lines.push(line);
        line = "";
      }
      line += character;
    }
  }
  lines.push(line);
  return lines;
}
