/** One glyph in drawing order; lengths in thousandths of an em. */
export interface ShapedGlyph {
  readonly face: number;
  readonly cid: number;
  /** A part of the letter before it, which stands for no character of its own. */
  readonly isExtra?: true;
  /** What the font moves on by itself. */
  readonly advance: number;
  /** What the line moves on. */
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/** Glyphs in drawing order and their width together. */
export interface Shaped {
  readonly glyphs: readonly ShapedGlyph[];
  readonly width: number;
}
