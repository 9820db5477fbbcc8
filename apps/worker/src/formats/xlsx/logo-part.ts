import type { Logo } from "../../brand/brand.ts";
import { escapeXmlText } from "./escape-xstring.ts";

/** English Metric Units (EMU) per pixel at 96 pixels per inch. */
const emusPerPx = 9_525;
const maxWidthPx = 240;
const maxHeightPx = 48;

export function logoAnchorXml(
  logo: Logo,
  brandName: string,
  place: { column: number; row: number },
  id: number,
): string {
  const scale = Math.min(maxWidthPx / logo.widthPx, maxHeightPx / logo.heightPx);
  const extent = (px: number): number => Math.round(px * scale * emusPerPx);
  const size = `cx="${extent(logo.widthPx)}" cy="${extent(logo.heightPx)}"`;
  return (
    `<xdr:oneCellAnchor><xdr:from><xdr:col>${place.column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${place.row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:ext ${size}/>` +
    `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="1" name="Logo" descr="${escapeXmlText(brandName)}"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr>` +
    `<xdr:blipFill><a:blip xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:embed="rId${id}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill>` +
    `<xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:oneCellAnchor>`
  );
}
