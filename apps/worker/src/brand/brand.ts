import { createPalette, type Palette } from "./palette.ts";

/** A logo, drawn once when the worker starts. */
export interface Logo {
  readonly widthPx: number;
  readonly heightPx: number;
  /** A PNG of 8-bit RGBA without interlacing, in base64. */
  readonly png: string;
  /** Its pixels, three bytes each, deflated (zlib), in base64. */
  readonly rgb: string;
  /** Opacity per pixel, one byte each, deflated (zlib), in base64; null if all pixels are opaque. */
  readonly alpha: string | null;
}

/** The look of a deployment's documents. Plain JSON data, because renderers are other processes. */
export interface Brand {
  readonly name: string;
  /** One line for the foot of every page, such as a confidentiality note. */
  readonly footer: string | null;
  readonly logo: Logo | null;
  readonly palette: Palette;
}

export const defaultBrandName = "Report Gateway";
export const defaultBrandColour = "1F4E79";

export const plainBrand: Brand = {
  name: defaultBrandName,
  footer: null,
  logo: null,
  palette: createPalette(defaultBrandColour),
};
