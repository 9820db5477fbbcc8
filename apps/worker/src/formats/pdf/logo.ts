import type { Logo } from "../../brand/brand.ts";
import type { PdfFile } from "./pdf-file.ts";

const maxLogoWidth = 170;
const maxLogoHeight = 42;

export async function writeLogo(file: PdfFile, { widthPx, heightPx, rgb, alpha }: Logo): Promise<number> {
  const [image, mask] = [file.allocate(), file.allocate()];
  const common = `/Type/XObject/Subtype/Image/Width ${widthPx}/Height ${heightPx}/BitsPerComponent 8`;
  const isClear = alpha !== null;
  if (isClear) await file.writeCompressed(mask, `${common}/ColorSpace/DeviceGray`, Buffer.from(alpha, "base64"));
  const pixels = Buffer.from(rgb, "base64");
  await file.writeCompressed(image, `${common}/ColorSpace/DeviceRGB${isClear ? `/SMask ${mask} 0 R` : ""}`, pixels);
  return image;
}

export function scaleLogo({ widthPx, heightPx }: Pick<Logo, "widthPx" | "heightPx">): {
  readonly width: number;
  readonly height: number;
} {
  const scale = Math.min(maxLogoWidth / widthPx, maxLogoHeight / heightPx);
  return { width: widthPx * scale, height: heightPx * scale };
}
