import { defaultBrandColour, defaultBrandName } from "@reports/runtime";
import { createPalette, type Palette } from "./palette.ts";

/** A logo as pixels. The worker draws it once at its start. */
export interface Logo {
  readonly widthPx: number;
  readonly heightPx: number;
  /** A PNG of 8-bit RGBA without interlacing, in base64. */
  readonly png: string;
  /** Red, green and blue of each pixel, one byte each, deflated (zlib), in base64. */
  readonly rgb: string;
  /** Opacity per pixel, one byte each, deflated (zlib), in base64; null if all pixels are opaque. */
  readonly alpha: string | null;
}

/** Appearance of the documents of a deployment. It is plain JSON, because it is sent to the renderers. */
export interface Brand {
  readonly name: string;
  /** One line at the foot of every page, such as a confidentiality note. */
  readonly footer: string | null;
  readonly logo: Logo | null;
  readonly palette: Palette;
}

export const defaultBrand: Brand = {
  name: defaultBrandName,
  footer: null,
  logo: null,
  palette: createPalette(defaultBrandColour),
};
