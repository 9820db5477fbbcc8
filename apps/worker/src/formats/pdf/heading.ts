import { wrapText, type PdfCanvas } from "./pdf-canvas.ts";
import type { PdfOutline } from "./pdf-outline.ts";
import type { PageFlow } from "./page-flow.ts";
import { pageMarginPoints } from "./paper-size.ts";
import type { StructureType } from "./structure-tree.ts";

interface HeadingStyle {
  readonly type: StructureType;
  readonly size: number;
  readonly lineHeight: number;
  /** Points from the top of the heading to its first baseline. `height` is the height in points of a heading of one line. */
  readonly baseline: number;
  readonly height: number;
  readonly indent: number;
  readonly isAccented: boolean;
}

const sectionStyle = {
  type: "H2",
  size: 13,
  lineHeight: 17,
  baseline: 12,
  height: 24,
  indent: 0,
  isAccented: false,
} as const satisfies HeadingStyle;
const groupStyle = {
  type: "H3",
  size: 10.5,
  lineHeight: 14,
  baseline: 15,
  height: 24,
  indent: 4,
  isAccented: true,
} as const satisfies HeadingStyle;

const continuedStyle = { ...groupStyle, indent: 0, isAccented: false } as const satisfies HeadingStyle;

const noteWidth = 120;
const noteGap = 10;
const continuedWidth = 60;
const noteFontSize = 8.5;

export type HeadingNote = string | { readonly form: number };

interface HeadingLines {
  readonly lines: readonly string[];
  readonly isNoteBelow: boolean;
  readonly height: number;
}

export function measureHeadingHeight(canvas: PdfCanvas, title: string, width: number): number {
  return layOutHeading(canvas, title, width, sectionStyle).height;
}

export function measureGroupHeadingHeight(canvas: PdfCanvas, title: string, width: number): number {
  return layOutHeading(canvas, title, width, groupStyle).height;
}

export function drawHeading(flow: PageFlow, outline: PdfOutline, title: string, note: HeadingNote = ""): void {
  outline.section(title, flow.here());
  drawLines(flow, title, note, { ...sectionStyle, width: flow.size.contentWidth }, flow.tag.bind(flow));
}

export function drawGroupHeading(flow: PageFlow, title: string, note: HeadingNote): void {
  drawLines(flow, title, note, { ...groupStyle, width: flow.size.contentWidth }, flow.tag.bind(flow));
}

export function drawContinuedHeading(flow: PageFlow, title: string): void {
  drawContinued(flow, title, "", continuedStyle);
}

export function drawContinuedGroupHeading(flow: PageFlow, title: string, note: HeadingNote): void {
  drawContinued(flow, title, note, groupStyle);
}

function drawContinued(flow: PageFlow, title: string, note: HeadingNote, style: HeadingStyle): void {
  const { canvas, y } = flow;
  const setting = { size: noteFontSize, colour: canvas.palette.muted, align: "right" } as const;
  drawLines(flow, title, note, { ...style, width: flow.size.contentWidth - continuedWidth }, (_, draw) => draw());
  canvas.text(
    pageMarginPoints.left + flow.size.contentWidth - style.indent,
    y + style.baseline,
    flow.words.text("continued"),
    setting,
  );
}

function layOutHeading(canvas: PdfCanvas, title: string, width: number, style: HeadingStyle): HeadingLines {
  const room = width - 2 * style.indent;
  const lines = wrapText(canvas, title, style.size, room, true);
  const isNoteBelow = canvas.width(lines.at(-1) ?? "", style.size, true) + noteGap + noteWidth > room;
  return { lines, isNoteBelow, height: style.height + (lines.length - (isNoteBelow ? 0 : 1)) * style.lineHeight };
}

function drawLines(
  flow: PageFlow,
  title: string,
  note: HeadingNote,
  style: HeadingStyle & { readonly width: number },
  mark: (type: StructureType, draw: () => void) => void,
): void {
  const { canvas } = flow;
  const { lines, isNoteBelow, height } = layOutHeading(canvas, title, style.width, style);
  const left = pageMarginPoints.left + style.indent;
  const setting = {
    size: style.size,
    bold: true,
    colour: style.isAccented ? canvas.palette.accent : canvas.palette.ink,
  } as const;
  let baseline = flow.y + style.baseline;
  let end = 0;
  mark(style.type, () =>
    lines.forEach((line, at) => {
      baseline = flow.y + style.baseline + at * style.lineHeight;
      end = canvas.text(left, baseline, line, setting);
    }),
  );
  const x = isNoteBelow ? left : left + end + noteGap;
  if (isNoteBelow) baseline += style.lineHeight;
  if (typeof note !== "string") mark("P", () => canvas.place(note.form, x, baseline));
  else if (note !== "")
    mark("P", () => canvas.text(x, baseline, note, { size: noteFontSize, colour: canvas.palette.muted }));
  flow.y += height;
}
