import { Canvas, unitsPerPoint } from "./canvas.ts";
import type { FontSet } from "./font-set.ts";
import { faint, muted, rule } from "./palette.ts";
import type { PdfFile } from "./pdf-file.ts";
import { Pen } from "./pen.ts";

/** A4 landscape, in points. */
export const pageSize = { width: 842, height: 595 };
export const margin = { left: 34, right: 34, top: 32, bottom: 38 };
export const contentWidth = pageSize.width - margin.left - margin.right;
const pagesPerNode = 64;
const scale = 1 / unitsPerPoint;

/** A place in the document that a bookmark leads to. */
export interface Destination {
  readonly page: number;
  /** Points from the top. */
  readonly y: number;
}

/** The pages of a document, one open at a time. A finished page is written and forgotten. */
export class PageFlow {
  readonly canvas: Canvas;
  /** Next free position on the open page, in points from the top. */
  y = margin.top;
  pageCount = 0;
  readonly #file: PdfFile;
  readonly #pen: Pen;
  readonly #fontDictionary: number;
  readonly #root: number;
  readonly #footer: number;
  readonly #nodes: { readonly id: number; readonly kids: number[] }[] = [];
  #page = 0;

  constructor(file: PdfFile, fonts: FontSet) {
    this.#file = file;
    this.#pen = new Pen(fonts);
    this.canvas = new Canvas(this.#pen, pageSize.height);
    this.#fontDictionary = file.allocate();
    this.#root = file.allocate();
    this.#footer = file.allocate();
  }

  /** Texts that were shortened to fit. */
  get clippedCount(): number {
    return this.#pen.clippedCount;
  }

  get bottom(): number {
    return pageSize.height - margin.bottom;
  }

  fits(height: number): boolean {
    return this.y + height <= this.bottom;
  }

  here(): Destination {
    return { page: this.#page, y: this.y };
  }

  /** Finishes the open page, if there is one, and opens the next. */
  async nextPage(): Promise<void> {
    if (this.pageCount > 0) await this.#finishPage();
    this.pageCount++;
    this.#page = this.#file.allocate();
    this.y = margin.top;
    this.#pen.buffer.ascii(`${scale} 0 0 ${scale} 0 0 cm\n`);
  }

  /** Takes an object number for a form whose content comes later. */
  reserveForm(): number {
    return this.#file.allocate();
  }

  /** Writes a form: content that several pages show, or that is known only after the pages that show it. */
  async writeForm(id: number, draw: (canvas: Canvas) => void): Promise<void> {
    const canvas = new Canvas(new Pen(this.#pen.fonts), 0);
    draw(canvas);
    const box = `[-${pageSize.width * unitsPerPoint} -${pageSize.height * unitsPerPoint} ${pageSize.width * unitsPerPoint} ${pageSize.height * unitsPerPoint}]`;
    await this.#file.writeStream(
      id,
      `/Type/XObject/Subtype/Form/BBox${box}/Resources<</Font ${this.#fontDictionary} 0 R>>`,
      canvas.pen.written(),
    );
  }

  /** Finishes the last page; writes the footer, the page tree and the fonts. Returns the root of the page tree. */
  async finish(footerText: string): Promise<number> {
    await this.#finishPage();
    await this.writeForm(this.#footer, (canvas) => {
      canvas.path(
        [
          [margin.left, 0],
          [pageSize.width - margin.right, 0],
        ],
        rule,
        { lineWidth: 0.5 },
      );
      canvas.text(margin.left, 12, footerText, { size: 7, colour: faint, maxWidth: contentWidth - 120 });
      canvas.text(pageNumberX, 12, ` of ${this.pageCount}`, { size: 7, colour: muted });
    });
    for (const node of this.#nodes) {
      await this.#file.write(
        node.id,
        `<</Type/Pages/Parent ${this.#root} 0 R/Count ${node.kids.length}/Kids[${node.kids.map((kid) => `${kid} 0 R`).join(" ")}]>>`,
      );
    }
    await this.#file.write(
      this.#root,
      `<</Type/Pages/Count ${this.pageCount}/MediaBox[0 0 ${pageSize.width} ${pageSize.height}]/Kids[${this.#nodes.map((node) => `${node.id} 0 R`).join(" ")}]>>`,
    );
    await this.#file.write(this.#fontDictionary, `<<${await this.#pen.fonts.write(this.#file)}>>`);
    return this.#root;
  }

  async #finishPage(): Promise<void> {
    const footerY = pageSize.height - 26;
    this.canvas.place(this.#footer, 0, footerY);
    this.canvas.text(pageNumberX, footerY + 12, `Page ${this.pageCount}`, { size: 7, colour: muted, align: "right" });
    const content = this.#file.allocate();
    const forms = [...this.canvas.forms].map((form) => `/X${form} ${form} 0 R`).join("");
    this.canvas.forms.clear();
    await this.#file.write(
      this.#page,
      `<</Type/Page/Parent ${this.#parentOf(this.#page)} 0 R/Contents ${content} 0 R` +
        `/Resources<</Font ${this.#fontDictionary} 0 R/XObject<<${forms}>>>>>>`,
    );
    await this.#file.writeStream(content, "", this.#pen.written());
  }

  #parentOf(page: number): number {
    let node = this.#nodes.at(-1);
    if (node === undefined || node.kids.length === pagesPerNode) {
      node = { id: this.#file.allocate(), kids: [] };
      this.#nodes.push(node);
    }
    node.kids.push(page);
    return node.id;
  }
}

/** Where "Page x" ends and " of y", which is written last, begins. */
const pageNumberX = pageSize.width - margin.right - 24;
