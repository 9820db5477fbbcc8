import { ObjectPack } from "./object-pack.ts";
import { textString, type PdfFile } from "./pdf-file.ts";

/** Types of structure elements that the documents use (ISO 32000-1 §14.8.4). */
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
  | "Table"
  | "THead"
  | "TBody"
  | "TR"
  | "TH"
  | "TD";

/** An element that is being written: it is closed when it has all its children. */
export interface StructureElement {
  readonly id: number;
  readonly type: StructureType;
  readonly parent: number;
  /** Entries of its dictionary beside its place in the tree. */
  readonly entries: string;
  /** The page that its marked content stands on, 0 without any. */
  page: number;
  kids: string;
}

const packBytes = 64 * 1024;
/** Entries of a node of the tree of parents: readers go through them one by one, for each piece of marked content. */
const maxEntries = 32;

/**
 * The structure of a tagged document (ISO 32000-1 §14.7), written page by page: of what is closed nothing is kept but its place in the file
 * and its number among the children of its parent.
 */
export class StructureTree {
  readonly root: number;
  /** Elements of one page's rows are written here directly. */
  readonly pack = new ObjectPack(packBytes * 1.5);
  readonly document: StructureElement;
  readonly #file: PdfFile;
  /** Of each page the object that says which elements its marked content belongs to. */
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

  /** Opens an element at the end of its parent's children. */
  open(
    type: StructureType,
    parent: StructureElement = this.document,
    given: { readonly alternative?: string; readonly attributes?: string } = {},
  ): StructureElement {
    const id = this.#file.allocate();
    parent.kids += `${id} 0 R `;
    const entries =
      (given.alternative === undefined ? "" : `/Alt${textString(given.alternative)}`) +
      (given.attributes === undefined ? "" : `/A<<${given.attributes}>>`);
    return { id, type, parent: parent.id, entries, page: 0, kids: "" };
  }

  /** Takes so many object numbers in a row, for elements that are written into the pack by whoever takes them. */
  allocate(many: number): number {
    return this.#file.allocate(many);
  }

  /** Notes that marked content of a page belongs to the element. */
  mark(element: StructureElement, page: number, contentId: number): void {
    if (element.page === 0) element.page = page;
    element.kids += element.page === page ? `${contentId} ` : `<</Type/MCR/Pg ${page} 0 R/MCID ${contentId}>> `;
  }

  /** Writes an element that has all its children. */
  close(element: StructureElement): void {
    this.pack.begin(element.id);
    this.pack.bodies.ascii(
      `<</S/${element.type}/P ${element.parent} 0 R${element.page === 0 ? "" : `/Pg ${element.page} 0 R`}${element.entries}/K[${element.kids}]>>\n`,
    );
  }

  /** Ends a page: `parents` are the elements of its marked content, by content id. Gives the page's number in the tree of parents. */
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

  /** Writes what is left and the root of the tree, whose number it gives. */
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

  /** Writes the lists of parents as a balanced number tree (ISO 32000-1 §7.9.7), level by level, and gives its root. */
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
    while (nodes.length > maxEntries) {
      nodes = Array.from({ length: Math.ceil(nodes.length / maxEntries) }, (_, at) => {
        const within = nodes.slice(at * maxEntries, (at + 1) * maxEntries);
        const [first, last] = [within[0]!.first, within.at(-1)!.last];
        return { id: write(`/Limits[${first} ${last}]${entries(within)}`), first, last };
      });
      entries = (within) => `/Kids[${within.map(({ id }) => `${id} 0 R`).join(" ")}]`;
    }
    return write(entries(nodes));
  }
}
