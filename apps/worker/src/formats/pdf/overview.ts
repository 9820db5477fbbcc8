import type { ReportSummary } from "@reports/core";
import { chartHeight, chartParts, drawChart } from "./charts.ts";
import { drawFigures, figuresHeight } from "./figures.ts";
import type { NumberFormat } from "../number-format.ts";
import type { Outline } from "./outline.ts";
import { contentWidth, margin, type PageFlow } from "./page-flow.ts";

const chartGap = 36;
/** Figures that stay on one page. */
const figuresTogether = 20;

/** Shows the key figures and the charts, two beside each other, on as many pages as they take. */
export async function drawOverview(
  flow: PageFlow,
  outline: Outline,
  summary: ReportSummary,
  conventions: { readonly numbers: NumberFormat; readonly timezone: string },
): Promise<void> {
  const { figures } = summary;
  const charts = summary.charts.flatMap(chartParts);
  for (let first = 0; first < figures.length; first += figuresTogether) {
    const some = figures.slice(first, first + figuresTogether);
    await makeRoom(flow, figuresHeight(some.length));
    if (first === 0) outline.section("Key figures", flow.here());
    drawFigures(flow.canvas, some, { x: margin.left, y: flow.y, width: contentWidth }, conventions);
    flow.y += figuresHeight(some.length) + 8;
  }
  for (let first = 0; first < charts.length; first += 2) {
    const pair = charts.slice(first, first + 2);
    const height = Math.max(...pair.map(chartHeight));
    await makeRoom(flow, height);
    if (first === 0) outline.section("Charts", flow.here());
    const width = pair.length === 1 ? contentWidth * 0.7 : (contentWidth - chartGap) / 2;
    pair.forEach((chart, at) =>
      drawChart(
        flow.canvas,
        chart,
        { x: margin.left + at * (width + chartGap), y: flow.y, width },
        conventions.numbers,
      ),
    );
    flow.y += height + 6;
  }
}

async function makeRoom(flow: PageFlow, height: number): Promise<void> {
  if (!flow.fits(height)) await flow.nextPage();
}
