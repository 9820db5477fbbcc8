import type { PdfDestination } from "./page-flow.ts";
import { encodeTextString, type PdfFile } from "./pdf-file.ts";

interface Bookmark {
  readonly id: number;
  readonly title: string;
  readonly destination: PdfDestination;
  readonly children: Bookmark[];
}

export class PdfOutline {
  readonly #file: PdfFile;
  readonly #sections: Bookmark[] = [];

  readonly #pageHeight: number;

  constructor(file: PdfFile, pageHeight: number) {
    this.#file = file;
    this.#pageHeight = pageHeight;
  }

  section(title: string, destination: PdfDestination): void {
    this.#sections.push({ id: this.#file.allocate(), title, destination, children: [] });
  }

  group(title: string, destination: PdfDestination): void {
    this.#sections.at(-1)?.children.push({ id: this.#file.allocate(), title, destination, children: [] });
  }

  find(title: string): PdfDestination | undefined {
    return this.#sections.findLast((section) => section.title === title)?.destination;
  }

  groups(): readonly { readonly title: string; readonly destination: PdfDestination }[] {
    return this.#sections.at(-1)?.children ?? [];
  }

  /** Writes the tree of bookmarks (ISO 32000-1 §12.3.3) and returns the object number of its root. */
  async write(): Promise<number> {
    const root = this.#file.allocate();
    await this.#writeLevel(root, this.#sections);
    await this.#file.write(root, `<</Type/Outlines${this.#family(this.#sections, true)}>>`);
    return root;
  }

  async #writeLevel(parent: number, level: readonly Bookmark[]): Promise<void> {
    for (const [at, bookmark] of level.entries()) {
      const previous = level[at - 1];
      const next = level[at + 1];
      await this.#file.write(
        bookmark.id,
        `<</Title${encodeTextString(bookmark.title)}/Parent ${parent} 0 R${formatDestinationEntry(bookmark.destination, this.#pageHeight)}` +
          `${previous === undefined ? "" : `/Prev ${previous.id} 0 R`}${next === undefined ? "" : `/Next ${next.id} 0 R`}${this.#family(bookmark.children, false)}>>`,
      );
      await this.#writeLevel(bookmark.id, bookmark.children);
    }
  }

  #family(children: readonly Bookmark[], open: boolean): string {
    const first = children[0];
    const last = children.at(-1);
    return first === undefined || last === undefined
      ? ""
      : `/First ${first.id} 0 R/Last ${last.id} 0 R/Count ${open ? "" : "-"}${children.length}`;
  }
}

export function formatDestinationEntry({ page, y }: PdfDestination, pageHeight: number): string {
  return `/Dest[${page} 0 R/XYZ null ${Math.round(pageHeight - y + 6)} null]`;
}
