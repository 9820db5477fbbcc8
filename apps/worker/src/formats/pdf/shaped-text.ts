export interface ShapedGlyph {
  readonly face: number;
  readonly cid: number;
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
