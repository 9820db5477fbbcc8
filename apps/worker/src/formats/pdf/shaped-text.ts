export interface ShapedGlyph {
  readonly face: number;
  readonly cid: number;
  /** Set for an additional glyph of the preceding letter. Such a glyph has no text. */
  readonly isExtra?: true;
  readonly advance: number;
  /** Advance in the laid-out line, which can differ from the font's `advance`. */
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

export interface ShapedText {
  readonly glyphs: readonly ShapedGlyph[];
  readonly width: number;
}
