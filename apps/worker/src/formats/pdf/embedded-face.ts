import { createHash } from "node:crypto";
import type { Font } from "fontkit";
import { readGlyphAdvanceMilliEm } from "./font-files.ts";
import { subsetFont } from "./font-subset.ts";
import { encodeTextString, type PdfFile } from "./pdf-file.ts";

interface UsedGlyph {
  readonly cid: number;
  readonly glyphId: number;
  readonly advance: number;
  readonly text: string;
}

/** The used glyphs of one font face. Each pair of glyph and text has its own character ID, so that copied text is exact. */
export class EmbeddedFace {
  readonly font: Font;
  readonly #glyphs = new Map<string, UsedGlyph>();
  #nextCid = 1;

  constructor(font: Font) {
    this.font = font;
  }

  /** Returns the character ID for a glyph that shows `text`, and its advance in thousandths of an em. */
  use(glyphId: number, text: string): { readonly cid: number; readonly advance: number } {
    const key = `${glyphId} ${text}`;
    let glyph = this.#glyphs.get(key);
    if (glyph === undefined) {
      while (needsEscape(this.#nextCid & 0xff) || needsEscape(this.#nextCid >> 8)) this.#nextCid++;
      if (this.#nextCid > 0xfffe)
        throw new RangeError("The document uses more different characters than one font can hold.");
      glyph = { cid: this.#nextCid++, glyphId, advance: readGlyphAdvanceMilliEm(this.font, glyphId), text };
      this.#glyphs.set(key, glyph);
    }
    return glyph;
  }

  /** Writes the used glyphs as a Type 0 font with widths and a map back to text (ISO 32000-1 §9.7, §9.10.3). */
  async write(file: PdfFile, id: number): Promise<void> {
    const glyphs = [...this.#glyphs.values()];
    const subset = subsetFont(
      this.font,
      glyphs.map(({ glyphId }) => glyphId),
    );
    const cidToGid = Buffer.alloc((this.#nextCid + 1) * 2);
    for (const { cid, glyphId } of glyphs) cidToGid.writeUInt16BE(subset.numberOf.get(glyphId)!, cid * 2);
    const [program, map, toUnicode, descendant, descriptor] = [
      file.allocate(),
      file.allocate(),
      file.allocate(),
      file.allocate(),
      file.allocate(),
    ];
    const name = `${createSubsetTag(glyphs)}+${this.font.postscriptName}`;
    const scale = 1000 / this.font.unitsPerEm;
    const { bbox } = this.font;
    const box = [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map((side) => Math.round(side * scale)).join(" ");
    await file.writeStream(program, `/Length1 ${subset.program.length}`, subset.program, "small");
    await file.writeStream(map, "", cidToGid, "small");
    await file.writeStream(toUnicode, "", Buffer.from(createToUnicodeMap(glyphs), "latin1"), "small");
    await file.write(
      descriptor,
      `<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[${box}]/ItalicAngle 0/Ascent ${Math.round(this.font.ascent * scale)}` +
        `/Descent ${Math.round(this.font.descent * scale)}/CapHeight ${Math.round((this.font.capHeight || 700) * scale)}/StemV 80/FontFile2 ${program} 0 R>>`,
    );
    await file.write(
      descendant,
      `<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>` +
        `/FontDescriptor ${descriptor} 0 R/CIDToGIDMap ${map} 0 R/DW 0/W[${glyphs.map((glyph) => `${glyph.cid}[${glyph.advance}]`).join("")}]>>`,
    );
    await file.write(
      id,
      `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/Identity-H/DescendantFonts[${descendant} 0 R]/ToUnicode ${toUnicode} 0 R>>`,
    );
  }
}

const zeroWidthSpace = "\u200b";

/** Reports whether a byte of a PDF string needs an escape: parentheses, the backslash, and CR, which readers turn into LF. */
function needsEscape(byte: number): boolean {
  return byte === 0x28 || byte === 0x29 || byte === 0x5c || byte === 0x0d;
}

function createSubsetTag(glyphs: readonly UsedGlyph[]): string {
  const hash = createHash("sha256")
    .update(glyphs.map((glyph) => `${glyph.cid}:${glyph.glyphId}`).join())
    .digest();
  return [...hash.subarray(0, 6)].map((byte) => String.fromCharCode(0x41 + (byte % 26))).join("");
}

function createToUnicodeMap(glyphs: readonly UsedGlyph[]): string {
  // A glyph that a font adds, such as the second part of a letter, has no character. It maps to a zero-width space.
  const lines = glyphs.map(
    ({ cid, text }) =>
      `<${cid.toString(16).padStart(4, "0")}> <${encodeTextString(text === "" ? zeroWidthSpace : text).slice(5, -1)}>\n`,
  );
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += 100) {
    const part = lines.slice(at, at + 100);
    parts.push(`${part.length} beginbfchar\n${part.join("")}endbfchar\n`);
  }
  return (
    "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n" +
    "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n" +
    `${parts.join("")}endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n`
  );
}
