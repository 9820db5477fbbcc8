import { createPalette, type Palette } from "./palette.ts";

/** A logo, ready for documents: drawn once at the start of the worker, whatever its file was. */
export interface Logo {
  readonly widthPx: number;
  readonly heightPx: number;
  /** A PNG of 8-bit RGBA without interlacing, in base64. */
  readonly png: string;
  /** Its pixels, three bytes each, deflated (zlib), in base64. */
  readonly rgb: string;
  /** How opaque each pixel is, one byte each, deflated (zlib), in base64; null where all of them are opaque. */
  readonly alpha: string | null;
}

/** How the documents of a deployment look: plain JSON data, because renderers are other processes. */
export interface Brand {
  /** Whose documents they are. */
  readonly name: string;
  /** One line for the foot of every page, such as a confidentiality note. */
  readonly footer: string | null;
  readonly logo: Logo | null;
  readonly palette: Palette;
}

export const defaultBrandName = "Report Gateway";
export const defaultBrandColour = "1F4E79";

/** The brand of a deployment that says nothing of it. */
export const plainBrand: Brand = {
  name: defaultBrandName,
  footer: null,
  logo: null,
  palette: createPalette(defaultBrandColour),
};
