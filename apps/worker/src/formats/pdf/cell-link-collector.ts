import { unitsPerPoint } from "./pdf-canvas.ts";
import type { PageFlow } from "./page-flow.ts";
import type { PlacedColumn } from "./row-layout.ts";
import type { TableTagWriter } from "./table-tag-writer.ts";

const underlineWidth = 0.4;
const underlineDrop = 1.5;

/** A value that links to a URL. Lengths are in tenths of a point, from the lower left corner of the page. */
interface CellLink {
  readonly at: number;
  readonly column: PlacedColumn;
  readonly url: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly bold: boolean;
  readonly size: number;
  readonly x: number;
  readonly y: number;
}

export class CellLinkCollector {
  readonly #flow: PageFlow;
  readonly #tags: TableTagWriter | undefined;
  readonly #lineUnits: number;
  #links: CellLink[] = [];

  constructor(flow: PageFlow, tags: TableTagWriter | undefined, lineUnits: number) {
    this.#flow = flow;
    this.#tags = tags;
    this.#lineUnits = lineUnits;
  }

  add(link: CellLink): void {
    this.#links.push(link);
  }

  /** Adds annotations for the row's links to the page. Call it before the row's structure, which refers to them, is written. */
  annotate(): void {
    for (const link of this.#links) {
      const { at, url, title, lines, size, x, y } = link;
      const width = Math.max(...lines.map((line) => this.#width(link, line)));
      const box = [x, y - (lines.length - 1) * this.#lineUnits - 0.25 * size, x + width, y + size];
      const annotation = this.#flow.addUrl({
        url,
        title,
        box: box.map((edge) => edge / unitsPerPoint),
        element: this.#tags?.linkElement(at),
      });
      this.#tags?.addAnnotation(at, annotation);
    }
  }

  /** Underlines the row's links, so that they differ from text without colour. In a tagged document, the lines are artifacts. */
  underline(): void {
    if (this.#links.length === 0) return;
    const { canvas, size: page } = this.#flow;
    for (const link of this.#links) {
      for (const [at, line] of link.lines.entries()) {
        const left = link.x / unitsPerPoint;
        const top = page.height - (link.y - at * this.#lineUnits) / unitsPerPoint + underlineDrop;
        const right = left + this.#width(link, line) / unitsPerPoint;
        canvas.path(
          [
            [left, top],
            [right, top],
          ],
          canvas.palette.accent,
          { lineWidth: underlineWidth },
        );
      }
    }
    this.#links = [];
  }

  #width({ column, bold, size }: CellLink, line: string): number {
    return (Math.min(this.#flow.canvas.pen.measure(line.trimEnd(), bold), column.maxEm) * size) / 1000;
  }
}
