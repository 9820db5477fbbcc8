import type { LocalisedSummary } from "../localised-summary.ts";
import type { CellFormatContext } from "./cell-formatter.ts";
import {
  splitChartAtPageEnd,
  measureChartHeight,
  describeChart,
  splitChartByBarCount,
  drawChart,
  type SplitChartPart,
} from "./charts.ts";
import { arrangeFigureCards, drawFigures } from "./figures.ts";
import type { PdfOutline } from "./pdf-outline.ts";
import type { PageFlow } from "./page-flow.ts";
import { pageMarginPoints } from "./paper-size.ts";

const chartGap = 36;
const maxFiguresPerGroup = 20;

export async function drawFiguresAndCharts(
  flow: PageFlow,
  outline: PdfOutline,
  summary: LocalisedSummary,
  conventions: CellFormatContext,
): Promise<void> {
  const { words } = conventions;
  const { figures } = summary;
  const { contentWidth } = flow.size;
  const charts = summary.charts.flatMap((chart) => splitChartByBarCount(chart, words));
  for (let first = 0; first < figures.length; first += maxFiguresPerGroup) {
    const batch = figures.slice(first, first + maxFiguresPerGroup);
    const arranged = arrangeFigureCards(flow.canvas, batch, contentWidth, conventions);
    if (!flow.fits(arranged.height)) await flow.nextPage();
    if (first === 0) outline.section(words.text("keyFigures"), flow.here());
    drawFigures(flow, arranged, { x: pageMarginPoints.left, y: flow.y });
    flow.y += arranged.height + 8;
  }
  for (let first = 0; first < charts.length; first += 2) {
    const onBegin = (): void => {
      if (first === 0) outline.section(words.text("charts"), flow.here());
    };
    await drawPair(flow, charts.slice(first, first + 2), conventions, onBegin);
  }
}

async function drawPair(
  flow: PageFlow,
  pair: readonly SplitChartPart[],
  conventions: CellFormatContext,
  onBegin: () => void,
): Promise<void> {
  const { contentWidth } = flow.size;
  const width = pair.length === 1 ? contentWidth * 0.7 : (contentWidth - chartGap) / 2;
  for (let rest = pair; rest.length > 0;) {
    const height = flow.bottom - flow.y;
    let broken = rest.map((chart) => splitChartAtPageEnd(flow.canvas, chart, { width, height }));
    if (broken.includes(null)) {
      await flow.nextPage();
      broken = rest.map((chart) => [chart, null]);
    }
    if (rest === pair) onBegin();
    const parts = broken.map((each) => each![0]);
    parts.forEach((chart, at) => {
      const area = { x: pageMarginPoints.left + at * (width + chartGap), y: flow.y, width };
      const draw = (): void => drawChart(flow.canvas, chart, area, conventions);
      flow.tag("Figure", draw, undefined, describeChart(chart, conventions));
    });
    flow.y += Math.max(...parts.map((chart) => measureChartHeight(flow.canvas, chart, width))) + 6;
    rest = broken.flatMap((each) => each![1] ?? []);
  }
}
