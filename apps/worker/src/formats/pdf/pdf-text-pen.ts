import { detachSubstring } from "../memoize.ts";
import { ContentBuffer } from "./content-buffer.ts";
import { shapingFaceSentinel, unresolvedFaceSentinel, type FontSet, type GlyphTable } from "./font-set.ts";
import { shapeLine, type ShapedLine } from "./shape-line.ts";

const ellipsis = 0x2026;
const maxCachedLines = 2000;
const maxMeasuredCharacters = 2000;
const openParenthesis = 0x28;
/** A direct reference to the method, because V8 would otherwise look it up per character and per kind of string. */
const { charCodeAt } = String.prototype;

/** Writes text into page content. Lengths are in tenths of a point, widths in thousandths of an em. Shaped lines are cached. */
export class PdfTextPen {
  readonly buffer = new ContentBuffer();
  readonly fonts: FontSet;
  clippedCount = 0;
  readonly #shaped = new Map<string, ShapedLine>();
  #face = -1;
  #size = -1;

  constructor(fonts: FontSet) {
    this.fonts = fonts;
  }

  /** Returns the content so far, which is valid until the next write. Later content is another stream, so it selects its font again. */
  written(): Buffer {
    this.#face = -1;
    this.#size = -1;
    return this.buffer.written();
  }

  measure(text: string, bold: boolean): number {
    if (text.length > maxMeasuredCharacters) return this.measure(text.slice(0, maxMeasuredCharacters), bold);
    const table = this.fonts.table(bold);
    let width = 0;
    for (let at = 0, { length } = text; at < length; at++) {
      const code = charCodeAt.call(text, at);
      if (
        table.face[code]! >= shapingFaceSentinel &&
        (table.face[code] === shapingFaceSentinel || this.fonts.resolve(code, bold) === shapingFaceSentinel)
      ) {
        return this.#shape(text, bold, Infinity).width;
      }
      width += table.advance[code]!;
    }
    return width;
  }

  /** Returns the index at which the longest ending that fits `maxWidth` begins; undefined for a text that must be shaped. */
  startOfEnd(text: string, bold: boolean, maxWidth: number): number | undefined {
    const table = this.fonts.table(bold);
    let width = 0;
    for (let at = text.length - 1; at >= 0; at--) {
      const code = charCodeAt.call(text, at);
      if (
        table.face[code]! >= shapingFaceSentinel &&
        (table.face[code] === shapingFaceSentinel || this.fonts.resolve(code, bold) === shapingFaceSentinel)
      )
        return undefined;
      width += table.advance[code]!;
      if (width > maxWidth) return at + 1;
    }
    return 0;
  }

  show(text: string, bold: boolean, size: number, maxWidth = Infinity): number {
    if (text.length > maxMeasuredCharacters)
      return this.show(`${text.slice(0, maxMeasuredCharacters - 1)}…`, bold, size, maxWidth);
    return this.#write(text, bold, size, maxWidth, true);
  }

  showWhole(text: string, bold: boolean, size: number, maxWidth: number): boolean {
    return text.length <= maxMeasuredCharacters && this.#write(text, bold, size, maxWidth, false) >= 0;
  }

  /** Writes a text and returns its width. If `clips` is false and the text does not fit, writes nothing and returns -1. */
  #write(text: string, bold: boolean, size: number, maxWidth: number, clips: boolean): number {
    const { buffer } = this;
    const table = this.fonts.table(bold);
    const start = buffer.length;
    const faceBefore = this.#face;
    const sizeBefore = this.#size;
    const { face: faces, cid: cids, advance: advances } = table;
    // If text is clipped, `limit` first leaves space for an ellipsis. The width never shrinks, so the position at which the text first exceeds
    // `limit` is where the ellipsis can go.
    let limit = clips && maxWidth !== Infinity ? maxWidth - this.#advance(table, ellipsis, bold) : maxWidth;
    let width = 0;
    let fitEnd = -1;
    let fitWidth = 0;
    let fitFace = -1;
    let open = -1;
    buffer.reserve(text.length * 2 + 64);
    let { bytes, length } = buffer;
    const characters = text.length;
    for (let at = 0; at < characters; at++) {
      const code = charCodeAt.call(text, at);
      let face = faces[code]!;
      if (face >= shapingFaceSentinel) {
        if (face === unresolvedFaceSentinel) face = this.fonts.resolve(code, bold);
        if (face === shapingFaceSentinel) {
          this.#rewind(start, faceBefore, sizeBefore);
          const line = this.#shape(text, bold, clips ? maxWidth : Infinity);
          return line.width > maxWidth ? -1 : this.#showShaped(line, size);
        }
      }
      const wider = width + advances[code]!;
      if (wider > limit) {
        if (limit !== maxWidth) {
          if (open >= 0) fitEnd = length;
          fitWidth = width;
          fitFace = open;
          limit = maxWidth;
        }
        if (wider > maxWidth) {
          if (clips)
            return this.#clip(table, bold, size, {
              start,
              faceBefore,
              sizeBefore,
              fitEnd,
              fitWidth,
              fitFace,
              maxWidth,
            });
          this.#rewind(start, faceBefore, sizeBefore);
          return -1;
        }
      }
      width = wider;
      if (face !== open) {
        buffer.length = length;
        if (open >= 0) buffer.ascii(")Tj ");
        this.#choose(face, size);
        buffer.reserve((text.length - at) * 2 + 64);
        ({ bytes, length } = buffer);
        bytes[length++] = openParenthesis;
        open = face;
      }
      const cid = cids[code]!;
      bytes[length++] = cid >> 8;
      bytes[length++] = cid & 0xff;
    }
    buffer.length = length;
    if (open >= 0) buffer.ascii(")Tj ");
    return width;
  }

  #clip(
    table: GlyphTable,
    bold: boolean,
    size: number,
    cut: {
      start: number;
      faceBefore: number;
      sizeBefore: number;
      fitEnd: number;
      fitWidth: number;
      fitFace: number;
      maxWidth: number;
    },
  ): number {
    const { buffer } = this;
    this.clippedCount++;
    const advance = this.#advance(table, ellipsis, bold);
    const face = table.face[ellipsis]!;
    if (cut.fitEnd < 0) {
      this.#rewind(cut.start, cut.faceBefore, cut.sizeBefore);
      if (advance > cut.maxWidth) return 0;
      this.#choose(face, size);
      buffer.ascii("(");
    } else {
      this.#rewind(cut.fitEnd, cut.fitFace, size);
      if (face !== cut.fitFace) {
        buffer.ascii(")Tj ");
        this.#choose(face, size);
        buffer.ascii("(");
      }
    }
    buffer.reserve(8);
    const cid = table.cid[ellipsis]!;
    buffer.bytes[buffer.length++] = cid >> 8;
    buffer.bytes[buffer.length++] = cid & 0xff;
    buffer.ascii(")Tj ");
    return cut.fitWidth + advance;
  }

  #showShaped(line: ShapedLine, size: number): number {
    const { buffer } = this;
    if (line.clipped) this.clippedCount++;
    let rise = 0;
    let open = false;
    for (const glyph of line.glyphs) {
      const isExtra = glyph.isExtra === true;
      if (isExtra) {
        if (open) buffer.ascii("]TJ ");
        open = false;
        // An additional glyph of a letter has no text, so that it is neither copied nor read aloud.
        buffer.ascii("/Span<</ActualText()>>BDC ");
      }
      if (glyph.face !== this.#face || size !== this.#size || glyph.yOffset !== rise || !open) {
        if (open) buffer.ascii("]TJ ");
        this.#choose(glyph.face, size);
        if (glyph.yOffset !== rise) {
          rise = glyph.yOffset;
          buffer.ascii(`${((rise * size) / 1000).toFixed(2)} Ts `);
        }
        buffer.ascii("[");
        open = true;
      }
      if (glyph.xOffset !== 0) buffer.integer(-glyph.xOffset);
      buffer.ascii("(");
      buffer.reserve(8);
      buffer.bytes[buffer.length++] = glyph.cid >> 8;
      buffer.bytes[buffer.length++] = glyph.cid & 0xff;
      buffer.ascii(")");
      const correction = glyph.advance + glyph.xOffset - glyph.xAdvance;
      if (correction !== 0) buffer.integer(correction);
      if (isExtra) {
        buffer.ascii("]TJ EMC ");
        open = false;
      }
    }
    if (open) buffer.ascii("]TJ ");
    if (rise !== 0) buffer.ascii("0 Ts ");
    return line.width;
  }

  #shape(text: string, bold: boolean, maxWidth: number): ShapedLine {
    const key = `${bold} ${maxWidth} ${text}`;
    let line = this.#shaped.get(key);
    if (line === undefined) {
      line = shapeLine(this.fonts, text, bold, maxWidth);
      if (this.#shaped.size >= maxCachedLines) this.#shaped.clear();
      this.#shaped.set(detachSubstring(key), line);
    }
    return line;
  }

  #advance(table: GlyphTable, code: number, bold: boolean): number {
    if (table.face[code] === unresolvedFaceSentinel) this.fonts.resolve(code, bold);
    return table.advance[code]!;
  }

  #choose(face: number, size: number): void {
    if (face === this.#face && size === this.#size) return;
    this.#face = face;
    this.#size = size;
    this.buffer.ascii(`/F${face} ${size} Tf `);
  }

  #rewind(length: number, face: number, size: number): void {
    this.buffer.length = length;
    this.#face = face;
    this.#size = size;
  }
}
