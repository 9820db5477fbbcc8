import { createAmountFormatter } from "../amount-formatter.ts";
import { wrapText, type PdfCanvas } from "./pdf-canvas.ts";
import { nullCellText, type CellFormatContext } from "./cell-formatter.ts";
import {
  toChartNumberDisplay,
  formatExactAmounts,
  isFiniteChartValue,
  isWholeNumber,
  formatExactTotal,
} from "../chart-amounts.ts";
import type { LocalisedChart } from "../localised-summary.ts";
import { describeOmittedCategories } from "../omitted-text.ts";
import type { Words } from "../words/words.ts";
import { breakTextAtWidth } from "./fit-cell-text.ts";
import { drawToneMark, fillToneArea } from "./tone-mark.ts";

const titleHeight = 20;
const titleLineHeight = 13;
const titleFontSize = 10;
const legendHeight = 15;
const barPitch = 16;
const barHeight = 11;

const labelFontSize = 8;
const smallLabelFontSize = 6.8;

const maxBars = 24;
const minBarsOfPart = 4;

export function splitChartByBarCount(chart: LocalisedChart, words: Words): SplitChartPart[] {
  const most = Math.max(0, ...chart.points.map((point) => Number(formatExactTotal(point))).filter(Number.isFinite));
  const continuedTitle = words.text("continuedTitle", { title: chart.title });
  const parts: SplitChartPart[] = [{ ...chart, most, continuedTitle, points: chart.points.slice(0, maxBars) }];
  for (let first = maxBars; first < chart.points.length; first += maxBars) {
    const points = chart.points.slice(first, first + maxBars);
    parts.push({ ...chart, most, continuedTitle, title: continuedTitle, points });
  }
  return parts.map((part, index) => (index < parts.length - 1 ? { ...part, omitted: [] } : part));
}

type ChartConventions = Pick<CellFormatContext, "numbers" | "words">;

export interface SplitChartPart extends LocalisedChart {
  readonly most: number;
  readonly continuedTitle: string;
}

/**
 * Splits a chart that is too high for the rest of a page. Returns the part for this page and the remaining part. If the whole chart fits, the
 * remaining part is null. Returns null if too few bars fit.
 */
export function splitChartAtPageEnd(
  canvas: PdfCanvas,
  chart: SplitChartPart,
  { width, height }: { readonly width: number; readonly height: number },
): readonly [part: SplitChartPart, rest: SplitChartPart | null] | null {
  if (measureChartHeight(canvas, chart, width) <= height) return [chart, null];
  const { points } = chart;
  const withoutBars = measureChartHeight(canvas, { ...chart, points: [], omitted: [] }, width) - barPitch;
  const count = Math.min(Math.floor((height - withoutBars) / barPitch), points.length - minBarsOfPart);
  if (count < minBarsOfPart) return null;
  return [
    { ...chart, points: points.slice(0, count), omitted: [] },
    { ...chart, points: points.slice(count), title: chart.continuedTitle },
  ];
}

export function measureChartHeight(canvas: PdfCanvas, chart: LocalisedChart, width: number): number {
  const above =
    titleHeight +
    (wrapTitle(canvas, chart, width).length - 1) * titleLineHeight +
    (chart.series.length > 1 ? legendHeight : 0);
  const below = chart.omitted.length > 0 ? barPitch : 0;
  return above + Math.max(1, chart.points.length) * barPitch + below + 8;
}

function wrapTitle(canvas: PdfCanvas, { title }: LocalisedChart, width: number): string[] {
  return wrapText(canvas, title, titleFontSize, width, true);
}

export function drawChart(
  canvas: PdfCanvas,
  chart: SplitChartPart,
  area: { x: number; y: number; width: number },
  { numbers, words }: ChartConventions,
): void {
  const stacked = chart.series.length > 1;
  let y = area.y;
  const lines = wrapTitle(canvas, chart, area.width);
  lines.forEach((line, at) =>
    canvas.text(area.x, y + 11 + at * titleLineHeight, line, { size: titleFontSize, bold: true }),
  );
  y += titleHeight + (lines.length - 1) * titleLineHeight;
  if (stacked) {
    drawLegend(canvas, chart, { ...area, y });
    y += legendHeight;
  }
  const omitted = describeOmittedCategories(chart, words, chartAmountWriter(chart, numbers));
  const omittedTop = y + Math.max(1, chart.points.length) * barPitch;
  canvas.text(area.x, omittedTop + 8.6, omitted, { size: 8, colour: canvas.palette.muted, maxWidth: area.width });
  if (chart.points.length === 0) {
    canvas.text(area.x, y + 9, words.text("nothingToShow"), { size: 8, colour: canvas.palette.muted });
    return;
  }
  const notes = chart.points.map((point) => describeAmounts(point, chartAmountWriter(chart, numbers)));
  const noteWidth =
    Math.max(...notes.map((note) => canvas.width(note.total, 8, true) + canvas.width(note.parts, 7))) + 8;
  const marked = !stacked && chart.points.some((point) => point.tone !== "neutral");
  const markWidth = marked ? 12 : 0;
  const labelWidth = Math.min(
    area.width * 0.4,
    Math.max(...chart.points.map((point) => canvas.width(point.label, labelFontSize))) + markWidth + 7,
  );
  const left = area.x + labelWidth;
  const barWidth = Math.max(20, area.x + area.width - noteWidth - left);
  chart.points.forEach((point, at) => {
    const top = y + at * barPitch;
    const single = stacked ? undefined : point.tone;
    if (single !== undefined && single !== "neutral")
      drawToneMark(canvas, area.x + 3.5, top + barHeight / 2, single, 2.6);
    drawLabel(canvas, point.label, { right: left - 6, top, maxWidth: labelWidth - markWidth - 6 });
    let x = left;
    point.values.forEach((value, series) => {
      const width = !isFiniteChartValue(value) || chart.most === 0 ? 0 : (value / chart.most) * barWidth;
      if (width <= 0) return;
      fillToneArea(
        canvas,
        { x, y: top, width: Math.max(width, 0.8), height: barHeight },
        single ?? chart.series[series]?.tone ?? "neutral",
      );
      if (x > left)
        canvas.path(
          [
            [x, top],
            [x, top + barHeight],
          ],
          canvas.palette.white,
          { lineWidth: 0.7 },
        );
      x += width;
    });
    const note = notes[at]!;
    const end = x + 5 + canvas.text(x + 4, top + 8.6, note.total, { size: 8, bold: true });
    canvas.text(end + 2, top + 8.6, note.parts, { size: 7, colour: canvas.palette.muted });
  });
  canvas.path(
    [
      [left, y - 3],
      [left, y + chart.points.length * barPitch - 3],
    ],
    canvas.palette.rule,
    { lineWidth: 0.7 },
  );
}

function drawLabel(canvas: PdfCanvas, label: string, at: { right: number; top: number; maxWidth: number }): void {
  const { right, top, maxWidth } = at;
  if (canvas.width(label, labelFontSize) <= maxWidth)
    return void canvas.text(right, top + 8.6, label, { size: labelFontSize, align: "right" });
  const [first, rest] = breakLabel(canvas, label, maxWidth);
  const setting = { size: smallLabelFontSize, align: "right", maxWidth } as const;
  canvas.text(right, top + (rest === "" ? 8.2 : 4.6), first, setting);
  canvas.text(right, top + 11.8, rest, setting);
}

function breakLabel(canvas: PdfCanvas, label: string, maxWidth: number): readonly [first: string, rest: string] {
  const fits = (line: string): boolean => canvas.width(line, smallLabelFontSize) <= maxWidth;
  if (fits(label)) return [label, ""];
  const natural = breakTextAtWidth(canvas.pen, label, false, (maxWidth * 1000) / smallLabelFontSize);
  if (fits(natural[1])) return natural;
  const [first = "", ...rest] = wrapText(canvas, label, smallLabelFontSize, maxWidth);
  return [first, rest.join("")];
}

export function describeChart(chart: SplitChartPart, { numbers, words }: ChartConventions): string {
  const value = chartAmountWriter(chart, numbers);
  const bars = chart.points.map((point) => {
    const amounts = formatExactAmounts(point);
    const parts = amounts.map((part, at) => `${chart.series[at]?.label ?? ""} ${value(part)}`.trim());
    return `${point.label}: ${value(formatExactTotal(point))}${amounts.length > 1 ? ` (${parts.join(", ")})` : ""}`;
  });
  const omitted = describeOmittedCategories(chart, words, value);
  const shown = bars.length === 0 ? words.text("nothingToShow") : `${bars.join("; ")}.`;
  return `${words.text("barChart", { title: chart.title })} ${shown}${omitted === "" ? "" : ` ${omitted}.`}`;
}

function drawLegend(canvas: PdfCanvas, chart: LocalisedChart, area: { x: number; y: number }): void {
  let { x } = area;
  chart.series.forEach((series, at) => {
    if (at > 0) x += 5 + canvas.text(x, area.y + 7.5, "/", { size: 8, colour: canvas.palette.faint });
    fillToneArea(canvas, { x, y: area.y + 1, width: 9, height: 7 }, series.tone);
    x +=
      13 +
      canvas.text(x + 12, area.y + 7.5, series.label, {
        size: 8,
        colour: series.tone === "neutral" ? canvas.palette.ink : canvas.palette.toneText[series.tone],
      }) +
      5;
  });
}

function chartAmountWriter(
  chart: LocalisedChart,
  numbers: ChartConventions["numbers"],
): (amount: string | null) => string {
  const shown = toChartNumberDisplay(chart);
  const { write } = createAmountFormatter(shown, numbers);
  const isRounded =
    shown.kind === "bytes" || shown.kind === "duration" || (shown.digits ?? shown.currency) !== undefined;
  return (amount) => {
    if (amount === null) return nullCellText;
    return write(isRounded || isWholeNumber(amount) ? amount : Number(amount).toFixed(2));
  };
}

function describeAmounts(
  point: SplitChartPart["points"][number],
  write: (amount: string | null) => string,
): { total: string; parts: string } {
  const amounts = formatExactAmounts(point);
  return {
    total: write(formatExactTotal(point)),
    parts: amounts.length > 1 ? `  ${amounts.map(write).join(" / ")}` : "",
  };
}
