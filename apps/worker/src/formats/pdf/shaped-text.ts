export interface ShapedGlyph {
  readonly face: number;
  readonly cid: number;
  /** Set for an additional glyph of the letter before, which has no character. */
  readonly isExtra?: true;
  readonly advance: number;
  /** Advance of the glyph in the laid-out line. */
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

export interface Shaped {
  readonly glyphs: readonly ShapedGlyph[];
  readonly width: number;
}
