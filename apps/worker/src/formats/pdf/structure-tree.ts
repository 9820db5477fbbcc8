import { ObjectStreamBuilder } from "./object-stream-builder.ts";
import { encodeTextString, type PdfFile } from "./pdf-file.ts";

export type StructureType =
  | "Document"
  | "H1"
  | "H2"
  | "H3"
  | "P"
  | "L"
  | "LI"
  | "Lbl"
  | "LBody"
  | "Figure"
  | "Link"
  | "Table"
  | "THead"
  | "TBody"
  | "TR"
  | "TH"
  | "TD";

export interface StructureElement {
  readonly id: number;
  readonly type: StructureType;
  readonly parent: number;
  readonly entries: string;
  /** Page of the element's first marked content; 0 if it has none. */
  page: number;
  kids: string;
}

const packBytes = 64 * 1024;
/** Maximum entries per node of the parent tree, because readers search a node linearly for each piece of marked content. */
const maxEntriesPerNode = 32;

/** Writes the structure of a tagged document (ISO 32000-1 §14.7) page by page. Only the positions and numbers of closed elements stay in memory. */
export class StructureTree {
  readonly root: number;
  readonly pack = new ObjectStreamBuilder(packBytes * 1.5);
  readonly document: StructureElement;
  readonly #file: PdfFile;
  /**
   * Object numbers by key of the PDF's parent tree. The key of a page leads to the list of the elements of its content. The key of an annotation
   * leads to its element.
   */
  readonly #parentLists: number[] = [];

  constructor(file: PdfFile) {
    this.#file = file;
    this.root = file.allocate();
    this.document = {
      id: file.allocate(),
      type: "Document",
      parent: this.root,
      entries: "",
      page: 0,
      kids: "",
    };
  }

  open(
    type: StructureType,
    parent: StructureElement = this.document,
    given: { readonly alternative?: string; readonly attributes?: string } = {},
  ): StructureElement {
    const id = this.#file.allocate();
    parent.kids += `${id} 0 R `;
    const entries =
      (given.alternative === undefined ? "" : `/Alt${encodeTextString(given.alternative)}`) +
      (given.attributes === undefined ? "" : `/A<<${given.attributes}>>`);
    return { id, type, parent: parent.id, entries, page: 0, kids: "" };
  }

  allocate(many: number): number {
    return this.#file.allocate(many);
  }

  mark(element: StructureElement, page: number, contentId: number): void {
    if (element.page === 0) element.page = page;
    element.kids += element.page === page ? `${contentId} ` : `<</Type/MCR/Pg ${page} 0 R/MCID ${contentId}>> `;
  }

  addAnnotation(element: StructureElement, annotation: number, page: number): number {
    element.kids += `<</Type/OBJR/Obj ${annotation} 0 R/Pg ${page} 0 R>> `;
    return this.addParent(element.id);
  }

  addParent(element: number): number {
    return this.#parentLists.push(element) - 1;
  }

  close(element: StructureElement): void {
    this.pack.begin(element.id);
    this.pack.bodies.ascii(
      `<</S/${element.type}/P ${element.parent} 0 R${element.page === 0 ? "" : `/Pg ${element.page} 0 R`}${element.entries}/K[${element.kids}]>>\n`,
    );
  }

  /** Ends a page. `parents` are the element numbers of its marked content, by content ID. Returns the page's key in the parent tree. */
  async endPage(parents: Iterable<number>): Promise<number> {
    const list = this.#file.allocate();
    const { bodies } = this.pack;
    this.pack.begin(list);
    bodies.ascii("[");
    for (const parent of parents) {
      bodies.integer(parent);
      bodies.ascii("0 R ");
    }
    bodies.ascii("]\n");
    if (bodies.length >= packBytes) await this.#file.writePack(this.pack);
    return this.#parentLists.push(list) - 1;
  }

  async finish(): Promise<number> {
    this.close(this.document);
    const parents = this.#closeParents();
    await this.#file.writePack(this.pack);
    this.pack.free();
    await this.#file.write(
      this.root,
      `<</Type/StructTreeRoot/K ${this.document.id} 0 R/ParentTree ${parents} 0 R/ParentTreeNextKey ${this.#parentLists.length}>>`,
    );
    return this.root;
  }

  /** Writes the parent tree as a balanced number tree (ISO 32000-1 §7.9.7), and returns the object number of its root. */
  #closeParents(): number {
    const write = (body: string): number => {
      const id = this.#file.allocate();
      this.pack.begin(id);
      this.pack.bodies.ascii(`<<${body}>>\n`);
      return id;
    };
    let nodes = this.#parentLists.map((id, page) => ({ id, first: page, last: page }));
    let entries = (within: typeof nodes): string =>
      `/Nums[${within.map(({ first, id }) => `${first} ${id} 0 R`).join(" ")}]`;
    while (nodes.length > maxEntriesPerNode) {
      nodes = Array.from({ length: Math.ceil(nodes.length / maxEntriesPerNode) }, (_, at) => {
        const within = nodes.slice(at * maxEntriesPerNode, (at + 1) * maxEntriesPerNode);
        const [first, last] = [within[0]!.first, within.at(-1)!.last];
        return { id: write(`/Limits[${first} ${last}]${entries(within)}`), first, last };
      });
      entries = (within) => `/Kids[${within.map(({ id }) => `${id} 0 R`).join(" ")}]`;
    }
    return write(entries(nodes));
  }
}
