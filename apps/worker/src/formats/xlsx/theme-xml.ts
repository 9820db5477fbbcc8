import type { Palette } from "../../brand/palette.ts";

const namespace = "http://schemas.openxmlformats.org/drawingml/2006/main";
const fillXml = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const strokeXml = '<a:ln w="9525"><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln>';
const effectXml = "<a:effectStyle><a:effectLst/></a:effectStyle>";

/** Returns xl/theme/theme1.xml, so that Excel offers the brand's colours to people who edit the file. */
export function themeXml({ ink, accent, headerFill, series }: Palette): string {
  const colour = (name: string, value: string) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`;
  const accents = Array.from({ length: 6 }, (_, at) => colour(`accent${at + 1}`, series[at % series.length] ?? accent));
  const font = (name: string) =>
    `<a:${name}><a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/></a:${name}>`;
  return (
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<a:theme xmlns:a="${namespace}" name="Report"><a:themeElements><a:clrScheme name="Report">` +
    colour("dk1", "000000") +
    colour("lt1", "FFFFFF") +
    colour("dk2", ink) +
    colour("lt2", headerFill) +
    accents.join("") +
    colour("hlink", accent) +
    colour("folHlink", ink) +
    `</a:clrScheme><a:fontScheme name="Report">${font("majorFont")}${font("minorFont")}</a:fontScheme>` +
    `<a:fmtScheme name="Report"><a:fillStyleLst>${fillXml.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${strokeXml.repeat(3)}</a:lnStyleLst>` +
    `<a:effectStyleLst>${effectXml.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fillXml.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`
  );
}
