import type { RenderDocument } from "../format-renderer.ts";
import { wrapText } from "./canvas.ts";
import { createInstantFormat } from "../filter-words.ts";
import { reportFacts, type ReportFact } from "../report-facts.ts";
import { contentWidth, margin, pageSize, type PageFlow } from "./page-flow.ts";
import { accent, ink, muted, rule } from "./palette.ts";

const labelWidth = 74;
const columnGap = 28;
const leftWidth = 270;
const lineHeight = 13;
const size = 8.5;

interface Detail {
  readonly label: string;
  /** Text, or the form that shows what is known only at the end. */
  readonly value: string | { readonly form: number };
}

/** Opens the document: what it is, for whom, of when, about what. `rowCount` is the form that shows the number of rows. */
export async function drawCover(
  flow: PageFlow,
  document: RenderDocument,
  facts: { readonly dataAsOf: Date; readonly rowCount: number },
): Promise<void> {
  const { canvas } = flow;
  const { request, definition } = document;
  const { timezone } = request.options;
  canvas.fill(0, 0, pageSize.width, 7, accent);
  flow.y = 40;
  canvas.text(margin.left, flow.y, definition.title.toUpperCase(), {
    size: 8,
    bold: true,
    colour: accent,
    maxWidth: contentWidth,
  });
  flow.y += 26;
  for (const line of wrapText(canvas, request.title, 22, contentWidth, true)) {
    canvas.text(margin.left, flow.y, line, { size: 22, bold: true, maxWidth: contentWidth });
    flow.y += 27;
  }
  flow.y -= 10;
  for (const line of wrapText(canvas, definition.description, 9.5, contentWidth)) {
    canvas.text(margin.left, flow.y, line, { size: 9.5, colour: muted });
    flow.y += 12;
  }
  canvas.path(
    [
      [margin.left, flow.y],
      [margin.left + contentWidth, flow.y],
    ],
    rule,
    { lineWidth: 0.7 },
  );
  flow.y += 16;
  const { provenance, selection, identity } = reportFacts(document, facts.dataAsOf, createInstantFormat(timezone));
  const left = [...provenance.map(toDetail), { label: "Rows", value: { form: facts.rowCount } }];
  const right = [...selection, ...identity].map(toDetail);
  const top = flow.y;
  const page = flow.pageCount;
  await drawDetails(flow, left, margin.left, leftWidth);
  const leftEnd = flow.y;
  flow.y = top;
  await drawDetails(flow, right, margin.left + leftWidth + columnGap, contentWidth - leftWidth - columnGap);
  flow.y = (flow.pageCount === page ? Math.max(leftEnd, flow.y) : flow.y) + 2;
}

function toDetail([label, value]: ReportFact): Detail {
  return { label, value };
}

/** Draws labels and values below each other, long values over several lines, and many of them over several pages. */
async function drawDetails(flow: PageFlow, details: readonly Detail[], x: number, width: number): Promise<void> {
  const { canvas } = flow;
  for (const { label, value } of details) {
    const lines = typeof value === "string" ? wrapText(canvas, value, size, width - labelWidth) : [value];
    for (const [at, line] of lines.entries()) {
      if (!flow.fits(lineHeight)) {
        await flow.nextPage();
        flow.y += lineHeight;
      }
      if (at === 0) canvas.text(x, flow.y, label, { size, colour: muted });
      if (typeof line === "string") canvas.text(x + labelWidth, flow.y, line, { size, colour: ink });
      else canvas.place(line.form, x + labelWidth, flow.y);
      flow.y += lineHeight;
    }
  }
}
