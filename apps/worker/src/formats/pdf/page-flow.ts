import { PdfCanvas, unitsPerPoint } from "./pdf-canvas.ts";
import type { FontSet } from "./font-set.ts";
import { Uint32List } from "./uint32-list.ts";
import { ObjectStreamBuilder } from "./object-stream-builder.ts";
import type { PdfPalette } from "./pdf-palette.ts";
import { pageMarginPoints, type PdfPageSize } from "./paper-size.ts";
import { encodeTextString, type PdfFile } from "./pdf-file.ts";
import { PdfTextPen } from "./pdf-text-pen.ts";
import type { StructureElement, StructureTree, StructureType } from "./structure-tree.ts";
import type { Words } from "../words/words.ts";

const pagesPerNode = 64;
const urlPackBytes = 64 * 1024;
const footerHeight = 28;
const footerSize = 7;
const footerLineHeight = 9;
const pageNumberWidth = 120;
const usualFooterLines = 2;
const pointsPerUnit = 1 / unitsPerPoint;

export interface PdfDestination {
  readonly page: number;
  readonly pageNumber: number;
  readonly y: number;
}

export interface PageFlowSettings {
  readonly file: PdfFile;
  readonly fonts: FontSet;
  readonly size: PdfPageSize;
  readonly palette: PdfPalette;
  readonly words: Words;
  readonly pageNumber: (page: number) => string;
  /** Estimated number of pages. It reserves space for the page count, which is known only at the end. */
  readonly expectedPages: number;
  readonly footer: readonly string[];
  /** Structure of a tagged document. With it, content without an element is an artifact. */
  readonly structure?: StructureTree | undefined;
}

export function measureFooterWidthMilliEm({ contentWidth }: PdfPageSize): number {
  return ((contentWidth - pageNumberWidth) * 1000) / footerSize;
}

/** Writes the pages of a document. One page is open at a time. Finished pages are written and their memory is freed. */
export class PageFlow {
  readonly canvas: PdfCanvas;
  readonly size: PdfPageSize;
  readonly structure: StructureTree | undefined;
  readonly words: Words;
  /** Next free position on the open page, in points from the top. */
  y: number = pageMarginPoints.top;
  pageCount = 0;
  clippedTitles = 0;
  readonly #file: PdfFile;
  readonly #pen: PdfTextPen;
  readonly #pageNumber: (page: number) => string;
  readonly #fontDictionary: number;
  readonly #root: number;
  readonly #footer: number;
  readonly #footerLines: readonly string[];
  readonly #nodes: { readonly id: number; readonly kids: number[] }[] = [];
  /** Element number of each piece of marked content on the open page. The index is the content ID. */
  readonly #marks = new Uint32List();
  #annotations: number[] = [];
  #urls: ObjectStreamBuilder | undefined;
  #page = 0;
  readonly #pageNumberX: number;

  constructor(settings: PageFlowSettings) {
    const { file, fonts, size, structure, palette, words, pageNumber, expectedPages, footer } = settings;
    this.#footerLines = footer;
    this.#file = file;
    this.#pen = new PdfTextPen(fonts);
    this.#pageNumber = pageNumber;
    this.size = size;
    this.structure = structure;
    this.words = words;
    this.canvas = new PdfCanvas(this.#pen, size.height, palette);
    this.#pageNumberX =
      size.width - pageMarginPoints.right - this.canvas.width(this.#ofPages(expectedPages), footerSize);
    this.#fontDictionary = file.allocate();
    this.#root = file.allocate();
    this.#footer = file.allocate();
  }

  get clippedCount(): number {
    return this.#pen.clippedCount;
  }

  get bottom(): number {
    return this.size.height - pageMarginPoints.bottom - this.#footerExtra;
  }

  get #footerExtra(): number {
    return Math.max(0, this.#footerLines.length - usualFooterLines) * footerLineHeight;
  }

  get page(): number {
    return this.#page;
  }

  fits(height: number): boolean {
    return this.y + height <= this.bottom;
  }

  here(): PdfDestination {
    return { page: this.#page, pageNumber: this.pageCount, y: this.y };
  }

  async nextPage(): Promise<void> {
    if (this.pageCount > 0) await this.#finishPage();
    this.pageCount++;
    this.#page = this.#file.allocate();
    this.y = pageMarginPoints.top;
    this.#pen.buffer.ascii(`${pointsPerUnit} 0 0 ${pointsPerUnit} 0 0 cm\n`);
    if (this.structure !== undefined) this.#pen.buffer.ascii("/Artifact BMC ");
  }

  /** Draws content of a structure element. In an untagged document, `element` is undefined. */
  mark(element: StructureElement | undefined, draw: () => void): void {
    if (element === undefined || this.structure === undefined) return draw();
    const contentId = this.takeContentId(element.id);
    this.structure.mark(element, this.#page, contentId);
    this.#pen.buffer.ascii(`EMC /${element.type}<</MCID ${contentId}>>BDC `);
    draw();
    this.#pen.buffer.ascii("EMC /Artifact BMC ");
  }

  tag(type: StructureType, draw: () => void, parent?: StructureElement, alternative?: string): void {
    const element = this.structure?.open(type, parent, alternative === undefined ? {} : { alternative });
    this.mark(element, draw);
    if (element !== undefined) this.structure?.close(element);
  }

  takeContentId(element: number): number {
    this.#marks.push(element);
    return this.#marks.length - 1;
  }

  reserveAnnotation(element: StructureElement | undefined): { readonly id: number; readonly entries: string } {
    const id = this.#file.allocate();
    this.#annotations.push(id);
    if (element === undefined || this.structure === undefined) return { id, entries: "/Type/Annot" };
    return { id, entries: `/Type/Annot/StructParent ${this.structure.addAnnotation(element, id, this.#page)}` };
  }

  async writeAnnotation(id: number, entries: string): Promise<void> {
    await this.#file.write(id, `<<${entries}>>`);
  }

  addUrl(link: {
    readonly url: string;
    readonly title: string;
    /** Left, lower, right and upper edge, in points from the lower left corner of the page. */
    readonly box: readonly number[];
    readonly element: number | undefined;
  }): number {
    const { url, title, box, element } = link;
    const id = this.#file.allocate();
    this.#annotations.push(id);
    const parent = element === undefined ? "" : `/StructParent ${this.structure?.addParent(element)}`;
    this.#urls ??= new ObjectStreamBuilder(urlPackBytes);
    this.#urls.begin(id);
    this.#urls.bodies.ascii(
      `<</Type/Annot/Subtype/Link${parent}/Rect[${box.map((edge) => edge.toFixed(1)).join(" ")}]/Border[0 0 0]/F 4` +
        `/Contents${encodeTextString(title)}/A<</S/URI/URI(${url.replaceAll(/[()\\]/g, "\\$&")})>>>>\n`,
    );
    return id;
  }

  reserveForm(): number {
    return this.#file.allocate();
  }

  async writeForm(id: number, draw: (canvas: PdfCanvas) => void): Promise<void> {
    const canvas = new PdfCanvas(new PdfTextPen(this.#pen.fonts), 0, this.canvas.palette);
    draw(canvas);
    const box = `[-${this.size.width * unitsPerPoint} -${this.size.height * unitsPerPoint} ${this.size.width * unitsPerPoint} ${this.size.height * unitsPerPoint}]`;
    await this.#file.writeStream(
      id,
      `/Type/XObject/Subtype/Form/BBox${box}/Resources<</Font ${this.#fontDictionary} 0 R>>`,
      canvas.pen.written(),
    );
  }

  async finish(): Promise<number> {
    await this.#finishPage();
    const maxWidth = this.size.contentWidth - pageNumberWidth;
    await this.writeForm(this.#footer, (canvas) => {
      canvas.path(
        [
          [pageMarginPoints.left, 0],
          [this.size.width - pageMarginPoints.right, 0],
        ],
        canvas.palette.rule,
        { lineWidth: 0.5 },
      );
      this.#footerLines.forEach((line, at) =>
        canvas.text(pageMarginPoints.left, 11 + at * footerLineHeight, line, {
          size: footerSize,
          colour: canvas.palette.faint,
          maxWidth,
        }),
      );
      canvas.text(this.#pageNumberX, 11, this.#ofPages(this.pageCount), {
        size: footerSize,
        colour: canvas.palette.muted,
      });
    });
    for (const node of this.#nodes) {
      await this.#file.write(
        node.id,
        `<</Type/Pages/Parent ${this.#root} 0 R/Count ${node.kids.length}/Kids[${node.kids.map((kid) => `${kid} 0 R`).join(" ")}]>>`,
      );
    }
    await this.#file.write(
      this.#root,
      `<</Type/Pages/Count ${this.pageCount}/MediaBox[0 0 ${this.size.width} ${this.size.height}]/Kids[${this.#nodes.map((node) => `${node.id} 0 R`).join(" ")}]>>`,
    );
    await this.#file.write(this.#fontDictionary, `<<${await this.#pen.fonts.write(this.#file)}>>`);
    if (this.#urls !== undefined) await this.#file.writePack(this.#urls);
    this.#urls?.free();
    this.#pen.buffer.free();
    return this.#root;
  }

  async #finishPage(): Promise<void> {
    const footerY = this.size.height - footerHeight - this.#footerExtra;
    const { structure } = this;
    if (structure !== undefined) this.#pen.buffer.ascii("EMC /Artifact<</Type/Pagination/Subtype/Footer>>BDC ");
    this.canvas.place(this.#footer, 0, footerY);
    const page = this.words.text("page", { page: this.#pageNumber(this.pageCount) });
    this.canvas.text(this.#pageNumberX, footerY + 11, page, {
      size: footerSize,
      colour: this.canvas.palette.muted,
      align: "right",
    });
    if (structure !== undefined) this.#pen.buffer.ascii("EMC");
    const parents = structure === undefined ? "" : `/StructParents ${await structure.endPage(this.#marks.taken())}`;
    const content = this.#file.allocate();
    const forms = [...this.canvas.forms].map((form) => `/X${form} ${form} 0 R`).join("");
    this.canvas.forms.clear();
    const annotations = this.#annotations.map((id) => `${id} 0 R`).join(" ");
    this.#annotations = [];
    if (this.#urls !== undefined && this.#urls.bodies.length >= urlPackBytes) await this.#file.writePack(this.#urls);
    await this.#file.write(
      this.#page,
      `<</Type/Page/Parent ${this.#parentOf(this.#page)} 0 R/Contents ${content} 0 R${parents}${annotations === "" ? "" : `/Annots[${annotations}]/Tabs/S`}` +
        `/Resources<</Font ${this.#fontDictionary} 0 R/XObject<<${forms}>>>>>>`,
    );
    await this.#file.writeStream(content, "", this.#pen.written());
  }

  #ofPages(count: number): string {
    return ` ${this.words.text("ofPages", { pages: this.#pageNumber(count) })}`;
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
