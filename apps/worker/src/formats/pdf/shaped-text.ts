export interface ShapedGlyph {
  readonly face: number;
  readonly cid: number;
  readonly isExtra?: true;
  readonly advance: number;
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

export interface ShapedText {
  readonly glyphs: readonly ShapedGlyph[];
  readonly width: number;
}
