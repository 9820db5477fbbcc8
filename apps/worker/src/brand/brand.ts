import { defaultBrandColour, defaultBrandName } from "@reports/runtime";
import { createPalette, type Palette } from "./palette.ts";

export interface Logo {
  readonly widthPx: number;
  readonly heightPx: number;
  /** A PNG of 8-bit RGBA without interlacing, in base64. */
  readonly png: string;
  /** Red, green and blue of each pixel, one byte each, deflated (zlib), in base64. */
  readonly rgb: string;
  /** Opacity per pixel, one byte each, deflated (zlib), in base64; null if every pixel is opaque. */
  readonly alpha: string | null;
}

/** Look of the documents of one deployment. It is plain JSON, because the worker sends it to the renderer processes. */
export interface Brand {
  readonly name: string;
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
