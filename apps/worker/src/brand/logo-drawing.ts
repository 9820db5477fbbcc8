import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

export interface DrawnLogo {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly png: Uint8Array;
  /** Four bytes per pixel: red, green and blue (premultiplied by the opacity), and the opacity from 0 to 255. */
  readonly rgba: Uint8Array;
}

/** The drawn logo, or the reason why the SVG can't be drawn. `problem` completes a sentence that begins with "must be". */
export type LogoDrawingResult = DrawnLogo | { readonly problem: string };

/** Logos are drawn for 600 dots per inch, at which this width is two inches. */
const maxWidthPx = 1_200;
const maxHeightPx = 400;

export async function rasteriseSvg(svg: Uint8Array): Promise<LogoDrawingResult> {
  await initWasm(await readFile(createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm")));
  let image: InstanceType<typeof Resvg>;
  try {
    image = new Resvg(svg);
  } catch (error) {
    return { problem: `a well-formed SVG: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (image.imagesToResolve().length > 0) return { problem: "an SVG whose images are within it (data: URLs)" };
  if (image.getBBox() === undefined) return { problem: "an SVG that draws something" };
  const { width, height } = image;
  const byWidth = width / height >= maxWidthPx / maxHeightPx;
  image.free();
  const fitTo = byWidth
    ? ({ mode: "width", value: maxWidthPx } as const)
    : ({ mode: "height", value: maxHeightPx } as const);
  const drawn = new Resvg(svg, { fitTo }).render();
  return { widthPx: drawn.width, heightPx: drawn.height, png: drawn.asPng(), rgba: drawn.pixels };
}
