import type { Tone } from "@reports/core";

/** A colour as the operands of `rg` and `RG`. */
export type Colour = string;

export const ink: Colour = "0.11 0.15 0.2";
export const muted: Colour = "0.38 0.43 0.49";
export const faint: Colour = "0.6 0.64 0.69";
export const rule: Colour = "0.82 0.85 0.88";
export const zebra: Colour = "0.965 0.973 0.98";
export const headerFill: Colour = "0.9 0.925 0.95";
export const accent: Colour = "0.1 0.3 0.48";
export const white: Colour = "1 1 1";

/** Text in a tone: dark enough to be read on white. */
export const toneText: Readonly<Record<Tone, Colour>> = {
  good: "0.1 0.4 0.22",
  warn: "0.56 0.35 0",
  bad: "0.68 0.1 0.1",
  muted: "0.42 0.46 0.52",
  neutral: ink,
};

/** Areas in a tone. Their lightness differs too, so that they are told apart in print without colour. */
export const toneFill: Readonly<Record<Tone, Colour>> = {
  good: "0.42 0.7 0.52",
  warn: "0.93 0.7 0.25",
  bad: "0.7 0.15 0.15",
  muted: "0.8 0.83 0.86",
  neutral: "0.25 0.45 0.63",
};
