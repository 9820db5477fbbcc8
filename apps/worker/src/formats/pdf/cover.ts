import type { Logo } from "../../brand/brand.ts";
import type { DocumentInput } from "../format-renderer.ts";
import { wrapText } from "./pdf-canvas.ts";
import { getInstantFormatter } from "../filter-words.ts";
import { listReportFacts, type ReportFact } from "../report-facts.ts";
import type { Words } from "../words/words.ts";
import { scaleLogo } from "./logo.ts";
import type { PageFlow } from "./page-flow.ts";
import { pageMarginPoints } from "./paper-size.ts";
import type { StructureElement } from "./structure-tree.ts";

/** Width in points that the line above the title leaves free for the brand. */
const kickerGap = 190;
const kickerHeight = 10;
const minLabelWidth = 74;
const labelGap = 6;
const columnGap = 28;
const lineHeight = 13;
const fontSize = 8.5;
/** Share of the width that provenance gets. On a page narrower than `narrowWidth` points, it gets half. */
const provenanceShare = 0.36;
const narrowWidth = 600;

interface Detail {
  readonly label: string;
  readonly value: string | { readonly form: number };
}

export async function drawCover(
  flow: PageFlow,
  document: DocumentInput,
  facts: {
    readonly dataAsOf: Date;
    readonly rowCount: number;
    readonly words: Words;
    readonly logo: (Pick<Logo, "widthPx" | "heightPx"> & { readonly form: number }) | null;
  },
): Promise<void> {
  const { canvas } = flow;
  const { width: pageWidth, contentWidth } = flow.size;
  const { request, definition, brand } = document;
  const { timezone, locale, language } = request.options;
  canvas.fill(0, 0, pageWidth, 7, canvas.palette.brand);
  flow.y = 40;
  const right = pageMarginPoints.left + contentWidth;
  const logo = facts.logo === null ? null : { ...scaleLogo(facts.logo), form: facts.logo.form };
  if (logo !== null) {
    const { form, width, height } = logo;
    flow.tag("Figure", () => canvas.image(form, right - width, 24, width, height), undefined, brand.name);
  } else {
    const setting = { size: 8, colour: canvas.palette.muted, align: "right" } as const;
    flow.tag("P", () => canvas.text(right, flow.y, brand.name, setting));
  }
  const titleWidth = contentWidth - (logo === null ? 0 : logo.width + columnGap);
  const kicker = { size: 8, bold: true, colour: canvas.palette.accent } as const;
  flow.tag("P", () => {
    const lines = wrapText(canvas, definition.title.toUpperCase(), kicker.size, contentWidth - kickerGap, true);
    lines.forEach((line, at) => canvas.text(pageMarginPoints.left, flow.y + at * kickerHeight, line, kicker));
    flow.y += (lines.length - 1) * kickerHeight;
  });
  flow.y += 26;
  flow.tag("H1", () => {
    for (const line of wrapText(canvas, request.title, 22, titleWidth, true)) {
      canvas.text(pageMarginPoints.left, flow.y, line, { size: 22, bold: true, maxWidth: titleWidth });
      flow.y += 27;
    }
  });
  flow.y -= 10;
  flow.tag("P", () => {
    for (const line of wrapText(canvas, definition.description, 9.5, contentWidth)) {
      canvas.text(pageMarginPoints.left, flow.y, line, { size: 9.5, colour: canvas.palette.muted });
      flow.y += 12;
    }
  });
  canvas.path(
    [
      [pageMarginPoints.left, flow.y],
      [pageMarginPoints.left + contentWidth, flow.y],
    ],
    canvas.palette.rule,
    { lineWidth: 0.7 },
  );
  flow.y += 16;
  const { words } = facts;
  const { provenance, selection, identity } = listReportFacts(document, facts.dataAsOf, {
    instant: getInstantFormatter(timezone, locale, language),
    words,
  });
  const leftDetails = [...provenance.map(toDetail), { label: words.text("rows"), value: { form: facts.rowCount } }];
  const rightDetails = [...selection, ...identity].map(toDetail);
  const labelWidth = Math.max(
    minLabelWidth,
    ...[...leftDetails, ...rightDetails].map(({ label }) => canvas.width(label, fontSize) + labelGap),
  );
  const leftWidth = contentWidth < narrowWidth ? (contentWidth - columnGap) / 2 : contentWidth * provenanceShare;
  const top = flow.y;
  const page = flow.pageCount;
  await drawDetails(flow, leftDetails, { x: pageMarginPoints.left, width: leftWidth, labelWidth });
  const leftEnd = flow.y;
  flow.y = top;
  await drawDetails(flow, rightDetails, {
    x: pageMarginPoints.left + leftWidth + columnGap,
    width: contentWidth - leftWidth - columnGap,
    labelWidth,
  });
  flow.y = (flow.pageCount === page ? Math.max(leftEnd, flow.y) : flow.y) + 2;
}

function toDetail([label, value]: ReportFact): Detail {
  return { label, value };
}

async function drawDetails(
  flow: PageFlow,
  details: readonly Detail[],
  { x, width, labelWidth }: { readonly x: number; readonly width: number; readonly labelWidth: number },
): Promise<void> {
  const { structure } = flow;
  const list = structure?.open("L");
  let item: StructureElement | undefined;
  let body: StructureElement | undefined;
  const closeItem = (): void => {
    if (body !== undefined) structure?.close(body);
    if (item !== undefined) structure?.close(item);
  };
  for (const [index, detail] of details.entries()) {
    // A detail with an empty label continues the list item of the detail before it.
    if (detail.label !== "" || index === 0) {
      closeItem();
      item = structure?.open("LI", list);
      await continueOnNextPage(flow);
      flow.tag(
        "Lbl",
        () => flow.canvas.text(x, flow.y, detail.label, { size: fontSize, colour: flow.canvas.palette.muted }),
        item,
      );
      body = structure?.open("LBody", item);
    }
    await drawValue(flow, detail.value, { x: x + labelWidth, width: width - labelWidth, body });
  }
  closeItem();
  if (list !== undefined) structure?.close(list);
}

async function drawValue(
  flow: PageFlow,
  value: Detail["value"],
  at: { readonly x: number; readonly width: number; readonly body: StructureElement | undefined },
): Promise<void> {
  const { canvas } = flow;
  const lines = typeof value === "string" ? wrapText(canvas, value, fontSize, at.width) : [value];
  for (const line of lines) {
    await continueOnNextPage(flow);
    flow.mark(at.body, () => {
      if (typeof line === "string") canvas.text(at.x, flow.y, line, { size: fontSize, colour: canvas.palette.ink });
      else canvas.place(line.form, at.x, flow.y);
    });
    flow.y += lineHeight;
  }
}

async function continueOnNextPage(flow: PageFlow): Promise<void> {
  if (flow.fits(lineHeight)) return;
  await flow.nextPage();
  flow.y += lineHeight;
}
