export interface ShapedGlyph {
  readonly face: number;
  readonly cid: number;
  /** Part of the letter before, without a character of its own. */
  readonly isExtra?: true;
  /** The font's advance. */
  readonly advance: number;
  /** The line's advance. */
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

export interface Shaped {
  readonly glyphs: readonly ShapedGlyph[];
  readonly width: number;
}
