import { isolateText } from "../text-direction.ts";
import { drawHeading, measureHeadingHeight } from "./heading.ts";
import { formatDestinationEntry, type PdfOutline } from "./pdf-outline.ts";
import type { PdfDestination, PageFlow } from "./page-flow.ts";
import { pageMarginPoints } from "./paper-size.ts";
import { encodeTextString } from "./pdf-file.ts";

const fontSize = 8.5;
const lineHeight = 13;
const gap = 14;
const maxIndexedGroups = 500;

export interface PageLink {
  readonly title: string;
  readonly annotation: number;
  readonly entries: string;
}

export async function drawLinkTitles(flow: PageFlow, titles: readonly string[]): Promise<PageLink[]> {
  const links: PageLink[] = [];
  const right = pageMarginPoints.left + flow.size.contentWidth;
  let x: number = pageMarginPoints.left;
  flow.y += lineHeight;
  for (const title of titles) {
    const width = Math.min(flow.canvas.width(title, fontSize), flow.size.contentWidth);
    if (x > pageMarginPoints.left && x + width > right) {
      x = pageMarginPoints.left;
      flow.y += lineHeight;
    }
    if (!flow.fits(0)) {
      await flow.nextPage();
      flow.y += lineHeight;
    }
    links.push(drawLink(flow, title, x, width));
    x += width + gap;
  }
  flow.y += lineHeight;
  return links;
}

function drawLink(flow: PageFlow, title: string, x: number, width: number): PageLink {
  const { canvas, structure, y, size } = flow;
  const paragraph = structure?.open("P");
  const element = structure?.open("Link", paragraph);
  flow.mark(element, () =>
    canvas.text(x, y, title, { size: fontSize, colour: canvas.palette.accent, maxWidth: flow.size.contentWidth }),
  );
  canvas.path(
    [
      [x, y + 1.5],
      [x + width, y + 1.5],
    ],
    canvas.palette.accent,
    { lineWidth: 0.4 },
  );
  const { id, entries } = flow.reserveAnnotation(element);
  if (element !== undefined) structure?.close(element);
  if (paragraph !== undefined) structure?.close(paragraph);
  const corners = [x, size.height - y - 3, x + width, size.height - y + fontSize].map((at) => at.toFixed(1)).join(" ");
  return { title, annotation: id, entries: `${entries}/Subtype/Link/Rect[${corners}]/Border[0 0 0]/F 4` };
}

export async function writeLinkAnnotation(flow: PageFlow, link: PageLink, destination: PdfDestination): Promise<void> {
  const contents = `/Contents${encodeTextString(link.title)}`;
  await flow.writeAnnotation(
    link.annotation,
    `${link.entries}${contents}${formatDestinationEntry(destination, flow.size.height)}`,
  );
}

export async function writeGroupIndex(
  flow: PageFlow,
  outline: PdfOutline,
  title: string,
  pageNumber: (page: number) => string,
): Promise<void> {
  const groups = outline.groups().slice(0, maxIndexedGroups);
  flow.y += lineHeight;
  if (!flow.fits(measureHeadingHeight(flow.canvas, title, flow.size.contentWidth) + 2 * lineHeight))
    await flow.nextPage();
  drawHeading(flow, outline, title);
  const links = await drawLinkTitles(
    flow,
    groups.map((group) => `${isolateText(group.title)} (${pageNumber(group.destination.pageNumber)})`),
  );
  for (const [at, link] of links.entries()) await writeLinkAnnotation(flow, link, groups[at]!.destination);
}
