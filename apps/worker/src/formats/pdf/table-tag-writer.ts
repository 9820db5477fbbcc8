import type { ContentBuffer } from "./content-buffer.ts";
import type { PageFlow } from "./page-flow.ts";
import type { StructureElement, StructureTree } from "./structure-tree.ts";

const headerCellElement = { attributes: "/O/Table/Scope/Column" };

/** Writes the structure of tables while their rows are drawn. A class, because V8 compiles methods once per process, closures per document. */
export class TableTagWriter {
  readonly #flow: PageFlow;
  readonly #structure: StructureTree;
  readonly #content: ContentBuffer;
  readonly #columns: number;
  /** Content ID of each cell of the open row; -1 if the cell is empty. */
  readonly #contentIds: Int32Array;
  /** Object number of the link in each cell of the open row; 0 without a link. `#annotations` holds those of the links' annotations. */
  readonly #links: Uint32Array;
  readonly #annotations: Uint32Array;
  #table: StructureElement | undefined;
  #body: StructureElement | undefined;
  #row = 0;

  constructor(flow: PageFlow, structure: StructureTree, columns: number) {
    this.#flow = flow;
    this.#structure = structure;
    this.#content = flow.canvas.pen.buffer;
    this.#columns = columns;
    this.#contentIds = new Int32Array(columns);
    this.#links = new Uint32Array(columns);
    this.#annotations = new Uint32Array(columns);
  }

  begin(drawHeader: (drawCell: (column: number, draw: () => void) => void) => void): void {
    this.end();
    const structure = this.#structure;
    this.#table = structure.open("Table");
    const head = structure.open("THead", this.#table);
    const titles = structure.open("TR", head);
    const cells = Array.from({ length: this.#columns }, () => structure.open("TH", titles, headerCellElement));
    drawHeader((column, draw) => this.#flow.mark(cells[column], draw));
    for (const element of [...cells, titles, head]) structure.close(element);
  }

  /** Begins a row. Write the row's text object with `beginCell` and EMC next, and then call `endRow`. */
  beginRow(): void {
    this.#body ??= this.#structure.open("TBody", this.#table);
    this.#row = this.#structure.allocate(this.#columns + 1);
    this.#body.kids += `${this.#row} 0 R `;
    this.#contentIds.fill(-1);
    this.#content.ascii("EMC ");
  }

  beginCell(column: number, isLink: boolean): void {
    const link = isLink ? this.#structure.allocate(1) : 0;
    const contentId = this.#flow.takeContentId(isLink ? link : this.#row + 1 + column);
    this.#contentIds[column] = contentId;
    this.#links[column] = link;
    const content = this.#content;
    content.ascii(isLink ? "/Link<</MCID " : "/TD<</MCID ");
    content.integer(contentId);
    content.ascii(">>BDC ");
  }

  linkElement(column: number): number {
    return this.#links[column]!;
  }

  addAnnotation(column: number, annotation: number): void {
    this.#annotations[column] = annotation;
  }

  endRow(): void {
    this.#content.ascii("/Artifact BMC\n");
    const { pack } = this.#structure;
    const { bodies } = pack;
    const columns = this.#columns;
    const row = this.#row;
    const { page } = this.#flow;
    pack.begin(row);
    bodies.ascii("<</S/TR/P ");
    bodies.integer(this.#body?.id ?? 0);
    bodies.ascii("0 R/K[");
    for (let column = 1; column <= columns; column++) {
      bodies.integer(row + column);
      bodies.ascii("0 R ");
    }
    bodies.ascii("]>>\n");
    for (let column = 0; column < columns; column++) {
      pack.begin(row + 1 + column);
      bodies.ascii("<</S/TD/P ");
      bodies.integer(row);
      const contentId = this.#contentIds[column]!;
      if (contentId < 0) {
        bodies.ascii("0 R>>\n");
        continue;
      }
      const link = this.#links[column]!;
      if (link > 0) {
        bodies.ascii(`0 R/K ${link} 0 R>>\n`);
        pack.begin(link);
        const annotation = `<</Type/OBJR/Obj ${this.#annotations[column]} 0 R/Pg ${page} 0 R>>`;
        bodies.ascii(`<</S/Link/P ${row + 1 + column} 0 R/Pg ${page} 0 R/K[${contentId} ${annotation}]>>\n`);
        continue;
      }
      bodies.ascii("0 R/Pg ");
      bodies.integer(page);
      bodies.ascii("0 R/K ");
      bodies.integer(contentId);
      bodies.ascii(">>\n");
    }
  }

  endPage(): void {
    if (this.#body !== undefined) this.#structure.close(this.#body);
    this.#body = undefined;
  }

  end(): void {
    this.endPage();
    if (this.#table !== undefined) this.#structure.close(this.#table);
    this.#table = undefined;
  }
}
