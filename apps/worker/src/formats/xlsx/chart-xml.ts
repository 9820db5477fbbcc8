import type { Language, Tone } from "@reports/core/report";
import type { Palette } from "../../brand/palette.ts";
import { isFiniteChartValue } from "../chart-amounts.ts";
import { describeOmittedCategories } from "../omitted-text.ts";
import type { LocalisedChart } from "../localised-summary.ts";
import type { Words } from "../words/words.ts";
import { secondsToDays } from "./duration-serial.ts";
import { escapeXmlText } from "./escape-xstring.ts";

/** A chart and the cells that it shows. The header row has the labels of the series, and the rows below have the points. */
export interface ChartWithCells {
  readonly chart: LocalisedChart;
  readonly sheet: string;
  /** Number of the header row, from 1. Labels of points are in column A, series from column B on. */
  readonly headerRow: number;
}

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export function chartXml(
  { chart, sheet, headerRow }: ChartWithCells,
  palette: Palette,
  words: Words,
  write: (amount: string) => string,
  format: string,
): string {
  const isSplit = chart.series.length > 1;
  const code = escapeXmlText(format);
  const first = headerRow + 1;
  const last = headerRow + chart.points.length;
  const labels = `<c:cat><c:strRef><c:f>${escapeXmlText(`${sheet}!$A$${first}:$A$${last}`)}</c:f>${stringCacheXml(chart.points.map((point) => point.label))}</c:strRef></c:cat>`;
  const series = chart.series.map((one, index) => {
    const letter = String.fromCharCode(66 + index);
    const colour = seriesColour(palette, one.tone, index);
    const points = isSplit
      ? ""
      : chart.points
          .map((point, at) => (point.tone === "neutral" ? "" : pointColourXml(at, palette.toneFill[point.tone])))
          .join("");
    return (
      `<c:ser><c:idx val="${index}"/><c:order val="${index}"/>` +
      `<c:tx><c:strRef><c:f>${escapeXmlText(`${sheet}!$${letter}$${headerRow}`)}</c:f>${stringCacheXml([one.label])}</c:strRef></c:tx>` +
      `${fillXml(colour)}<c:invertIfNegative val="0"/>${points}${dataLabelsXml(!isSplit, code)}${labels}` +
      `<c:val><c:numRef><c:f>${escapeXmlText(`${sheet}!$${letter}$${first}:$${letter}$${last}`)}</c:f>${numberCacheXml(chart.points.map((point) => cachedValue(chart, point.values[index] ?? null)))}</c:numRef></c:val></c:ser>`
    );
  });
  return (
    `${xmlDeclaration}<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><c:roundedCorners val="0"/>` +
    `<c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1200" b="1"/></a:pPr><a:r><a:rPr lang="${words.language}" sz="1200" b="1"/><a:t>${escapeXmlText(chart.title)}</a:t></a:r></a:p>${subtitleXml(describeOmittedCategories(chart, words, write), words.language)}</c:rich></c:tx><c:overlay val="0"/></c:title><c:autoTitleDeleted val="0"/>` +
    `<c:plotArea><c:layout/><c:barChart><c:barDir val="bar"/><c:grouping val="${isSplit ? "stacked" : "clustered"}"/><c:varyColors val="0"/>${series.join("")}<c:gapWidth val="50"/>${isSplit ? '<c:overlap val="100"/>' : ""}<c:axId val="1"/><c:axId val="2"/></c:barChart>${axesXml(code, chart)}</c:plotArea>` +
    `${isSplit ? '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>' : ""}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>`
  );
}

export function drawingXml(
  charts: readonly ChartWithCells[],
  place: { column: number; row: number },
  logo: string,
): string {
  const columns = 7;
  let below = place.row;
  const anchors = charts.map(({ chart }, index) => {
    const top = below;
    const rows = Math.max(14, Math.ceil(chart.points.length * 1.6) + 6);
    below += rows + 1;
    return (
      `<xdr:twoCellAnchor><xdr:from><xdr:col>${place.column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${top}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from>` +
      `<xdr:to><xdr:col>${place.column + columns}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${top + rows}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>` +
      `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${index + 2}" name="Chart ${index + 1}" descr="${escapeXmlText(chart.title)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>` +
      `<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart">` +
      `<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="rId${index + 1}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>`
    );
  });
  return `${xmlDeclaration}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${logo}${anchors.join("")}</xdr:wsDr>`;
}

function subtitleXml(text: string, language: Language): string {
  if (text === "") return "";
  return `<a:p><a:pPr><a:defRPr sz="900" b="0"/></a:pPr><a:r><a:rPr lang="${language}" sz="900" b="0"/><a:t>${escapeXmlText(text)}</a:t></a:r></a:p>`;
}

function seriesColour({ series, toneFill }: Palette, tone: Tone, index: number): string {
  return tone === "neutral" ? (series[index % series.length] ?? toneFill.neutral) : toneFill[tone];
}

function fillXml(colour: string): string {
  return `<c:spPr><a:solidFill><a:srgbClr val="${colour}"/></a:solidFill></c:spPr>`;
}

function pointColourXml(index: number, colour: string): string {
  return `<c:dPt><c:idx val="${index}"/><c:invertIfNegative val="0"/><c:bubble3D val="0"/>${fillXml(colour)}</c:dPt>`;
}

function dataLabelsXml(isShown: boolean, code: string): string {
  if (!isShown) return "";
  return `<c:dLbls><c:numFmt formatCode="${code}" sourceLinked="0"/><c:showLegendKey val="0"/><c:showVal val="1"/><c:showCatName val="0"/><c:showSerName val="0"/><c:showPercent val="0"/><c:showBubbleSize val="0"/></c:dLbls>`;
}

function stringCacheXml(values: readonly string[]): string {
  const points = values
    .map((value, index) => `<c:pt idx="${index}"><c:v>${escapeXmlText(value)}</c:v></c:pt>`)
    .join("");
  return `<c:strCache><c:ptCount val="${values.length}"/>${points}</c:strCache>`;
}

function cachedValue({ kind }: LocalisedChart, value: number | null): number | null {
  return kind === "duration" && isFiniteChartValue(value) ? secondsToDays(value) : value;
}

function numberCacheXml(values: readonly (number | null)[]): string {
  const points = values
    .map((value, index) => (isFiniteChartValue(value) ? `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>` : ""))
    .join("");
  return `<c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="${values.length}"/>${points}</c:numCache>`;
}

/** Returns the axes. The first category is on top, as in the table. Bars begin at 0, because spreadsheets would begin near the smallest of similar values. */
function axesXml(code: string, chart: LocalisedChart): string {
  const hasNegative = chart.points.some(({ values }) => values.some((value) => value !== null && value < 0));
  const most = endOfDurations(chart);
  const range = `${most === null ? "" : `<c:max val="${most}"/>`}${hasNegative ? "" : '<c:min val="0"/>'}`;
  return (
    '<c:catAx><c:axId val="1"/><c:scaling><c:orientation val="maxMin"/></c:scaling><c:delete val="0"/><c:axPos val="l"/><c:numFmt formatCode="General" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="low"/><c:crossAx val="2"/><c:crosses val="autoZero"/><c:auto val="1"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:tickLblSkip val="1"/><c:noMultiLvlLbl val="0"/></c:catAx>' +
    `<c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/>${range}</c:scaling><c:delete val="0"/><c:axPos val="b"/><c:majorGridlines><c:spPr><a:ln w="6350"><a:solidFill><a:srgbClr val="D9D9D9"/></a:solidFill></a:ln></c:spPr></c:majorGridlines><c:numFmt formatCode="${code}" sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/><c:crossAx val="1"/><c:crosses val="max"/><c:crossBetween val="between"/></c:valAx>`
  );
}

/** Share of the axis that a character of a label takes in LibreOffice, at the width of these charts. */
const characterShare = 0.03;
const maxLabelShare = 0.6;

/** Returns an end of the axis that leaves space for the labels of durations, because in LibreOffice long labels leave the chart. Null without labels. */
function endOfDurations(chart: LocalisedChart): number | null {
  if (chart.kind !== "duration" || chart.series.length > 1) return null;
  const ends = chart.points.flatMap(({ values: [value = null] }) => {
    const days = isFiniteChartValue(value) ? (secondsToDays(value) ?? 0) : 0;
    if (value === null || days <= 0) return [];
    const { length } = `${Math.floor(value / 3600)}:00:00 `;
    return days / (1 - Math.min(maxLabelShare, length * characterShare));
  });
  return ends.length === 0 ? null : Number(Math.max(...ends).toPrecision(3));
}
