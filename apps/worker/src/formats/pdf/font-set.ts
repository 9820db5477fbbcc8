import { freeMemory } from "../../wire/unshared-memory.ts";
import { EmbeddedFace } from "./embedded-face.ts";
import {
  boldFaceIndex,
  boldFallbackFaceIndexes,
  fallbackFaceIndexes,
  getFont,
  regularFaceIndex,
} from "./font-files.ts";
import type { PdfFile } from "./pdf-file.ts";
import type { ShapedText } from "./shaped-text.ts";

/** Entry of `GlyphTable.face` for a character that has not been looked up yet. */
export const unresolvedFaceSentinel = 255;
/** Entry of `GlyphTable.face` for a character that must be shaped together with its neighbours. */
export const shapingFaceSentinel = 254;

const emptyBoxCharacter = 0x25a1;

/** Glyphs by UTF-16 code unit. The arrays are flat, because the pen reads them for each character of a report. */
export interface GlyphTable {
  readonly face: Uint8Array;
  readonly cid: Uint16Array;
  readonly advance: Uint16Array;
}

export class FontSet {
  readonly shapedWords = new Map<string, ShapedText>();
  readonly #faces = new Map<number, EmbeddedFace>();
  readonly #regular = createEmptyTable();
  readonly #bold = createEmptyTable();

  table(bold: boolean): GlyphTable {
    return bold ? this.#bold : this.#regular;
  }

  face(number: number): EmbeddedFace {
    let face = this.#faces.get(number);
    if (face === undefined) {
      face = new EmbeddedFace(getFont(number));
      this.#faces.set(number, face);
    }
    return face;
  }

  /** Returns the number of the first font face that has the character; undefined if none has it. */
  faceFor(codePoint: number, bold: boolean): number | undefined {
    const own = this.ownFace(bold);
    if (getFont(own).hasGlyphForCodePoint(codePoint)) return own;
    const fallbacks = bold ? boldFallbackFaceIndexes : fallbackFaceIndexes;
    return fallbacks.find((face) => getFont(face).hasGlyphForCodePoint(codePoint));
  }

  ownFace(bold: boolean): number {
    return bold ? boldFaceIndex : regularFaceIndex;
  }

  /** Returns the glyph of an empty box, for characters that no face has. PDF/A forbids the fonts' own glyph for missing characters. */
  substitute(): { readonly number: number; readonly glyphId: number } {
    const number = fallbackFaceIndexes.find((face) => getFont(face).hasGlyphForCodePoint(emptyBoxCharacter))!;
    return { number, glyphId: getFont(number).glyphForCodePoint(emptyBoxCharacter).id };
  }

  resolve(code: number, bold: boolean): number {
    const table = this.table(bold);
    if (needsShaping(code)) {
      table.face[code] = shapingFaceSentinel;
      return shapingFaceSentinel;
    }
    const codePoint = toVisibleCodePoint(code);
    const found = this.faceFor(codePoint, bold);
    const { number, glyphId } = found === undefined ? this.substitute() : { number: found, glyphId: undefined };
    const face = this.face(number);
    const glyph = face.use(glyphId ?? face.font.glyphForCodePoint(codePoint).id, String.fromCodePoint(codePoint));
    table.face[code] = number;
    table.cid[code] = glyph.cid;
    table.advance[code] = glyph.advance;
    return number;
  }

  /** Writes the used faces and returns their entries of the font dictionary. No text can be drawn afterwards. */
  async write(file: PdfFile): Promise<string> {
    let entries = "";
    for (const [number, face] of [...this.#faces].sort(([a], [b]) => a - b)) {
      const id = file.allocate();
      await face.write(file, id);
      entries += `/F${number} ${id} 0 R`;
    }
    // Frees 0.7 MB per document that would otherwise wait for garbage collection.
    for (const { face, cid, advance } of [this.#regular, this.#bold]) [face, cid, advance].forEach(freeMemory);
    return entries;
  }
}

function createEmptyTable(): GlyphTable {
  return {
    face: new Uint8Array(0x10000).fill(unresolvedFaceSentinel),
    cid: new Uint16Array(0x10000),
    advance: new Uint16Array(0x10000),
  };
}

/**
 * Returns the character that is drawn: ⏎ for LF, and a space for TAB, CR and the no-break space. Controls and characters that PDF/A forbids
 * become U+FFFD.
 */
export function toVisibleCodePoint(codePoint: number): number {
  if (codePoint === 0x0a) return 0x23ce;
  if (codePoint === 0x09 || codePoint === 0x0d || codePoint === 0xa0) return 0x20;
  const isControl = codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0);
  const isPrivate = (codePoint >= 0xe000 && codePoint <= 0xf8ff) || codePoint >= 0xf0000;
  return isControl || isPrivate || (codePoint & 0xfffe) === 0xfffe ? 0xfffd : codePoint;
}

const shapedRanges: readonly (readonly [number, number])[] = [
  [0x0300, 0x036f], // combining marks
  [0x0483, 0x0489],
  [0x0590, 0x109f], // right-to-left and Indic scripts up to Myanmar
  [0x1100, 0x11ff], // Hangul letters that join
  [0x1700, 0x18af],
  [0x1900, 0x1cff],
  [0x1dc0, 0x1dff],
  [0x200b, 0x200f], // joiners and direction marks
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x20d0, 0x20ff],
  [0xa800, 0xabff],
  [0xd800, 0xdfff], // surrogates: characters beyond the basic plane, such as emoji and their sequences
  [0xfb1d, 0xfdff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0xfe70, 0xfeff],
];

export function needsShaping(code: number): boolean {
  return code >= 0x0300 && !isDigit(code) && shapedRanges.some(([first, last]) => code >= first && code <= last);
}

/** Reports whether a code unit is an Arabic, Indic or Thai digit, or the Arabic percent sign or a separator in Arabic numbers. All these are drawn one by one, without shaping. */
function isDigit(code: number): boolean {
  return (
    (code >= 0x0660 && code <= 0x066c) ||
    (code >= 0x06f0 && code <= 0x06f9) ||
    (code >= 0x0966 && code <= 0x0df0 && /\p{Nd}/u.test(String.fromCharCode(code))) ||
    (code >= 0x0e50 && code <= 0x0e59)
  );
}
