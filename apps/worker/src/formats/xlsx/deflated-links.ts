import { Buffer } from "node:buffer";
import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { appendUndoubledQuotes } from "../../wire/scan-fields.ts";
import { parseHttpsUrl } from "../https-link.ts";
import { toColumnLetters } from "./to-column-letters.ts";
import { officeNamespace } from "./office-namespace.ts";
import { escapeXmlText } from "./escape-xstring.ts";

/** Excel's maximum number of links per sheet. */
const linksPerSheet = 65_530;

export interface LinkXml {
  readonly hyperlinks: string;
  readonly relationships: string;
  /** Number of links that are left out, because the sheet would have too many. */
  readonly omittedLinks: number;
}

/** Collects the links of rows. The field with the URL can come before or after the cell. */
export class LinkCollector {
  readonly #links: readonly { readonly column: number; readonly linkField: number }[];
  readonly #isUrl: readonly boolean[];
  // Last row that can have links. Row numbers are limited, because threads convert blocks without knowing the number of earlier links.
  readonly #lastRow: number;
  readonly #urls: (string | null)[];
  /** By column: where its cell begins in the output; -1 if the row has no text there. */
  readonly #cells: number[];
  readonly #plain = new ByteBuffer(1024);
  #taken: LinkXml = noLinks;

  constructor(columns: readonly { readonly linkField?: number }[]) {
    this.#links = columns.flatMap(({ linkField }, column) => (linkField === undefined ? [] : [{ column, linkField }]));
    this.#isUrl = columns.map((_, field) => this.#links.some(({ linkField }) => linkField === field));
    this.#lastRow = 1 + Math.floor(linksPerSheet / this.#links.length);
    this.#urls = columns.map(() => null);
    this.#cells = columns.map(() => -1);
  }

  field(
    column: number,
    bytes: Uint8Array,
    start: number,
    end: number,
    given: { isDoubled: boolean; at: number },
  ): void {
    if (start === end) return;
    this.#cells[column] = given.at;
    if (this.#isUrl[column] !== true) return;
    this.#plain.length = 0;
    if (given.isDoubled) appendUndoubledQuotes(this.#plain, bytes, start, end);
    else this.#plain.append(bytes, start, end);
    this.#urls[column] = parseHttpsUrl(Buffer.from(this.#plain.view()).toString("utf8"));
  }

  endRow(row: number, mark: (column: number, at: number) => void): void {
    let { hyperlinks, relationships, omittedLinks } = this.#taken;
    for (const { column, linkField } of this.#links) {
      const url = this.#urls[linkField] ?? null;
      const at = this.#cells[column]!;
      if (url === null || at < 0) continue;
      if (row > this.#lastRow) {
        omittedLinks++;
        continue;
      }
      const cell = `${toColumnLetters(column)}${row}`;
      hyperlinks += `<hyperlink ref="${cell}" r:id="${cell}"/>`;
      relationships += externalLinkXml(cell, escapeXmlText(url));
      mark(column, at);
    }
    this.#taken = { hyperlinks, relationships, omittedLinks };
    this.#urls.fill(null);
    this.#cells.fill(-1);
  }

  take(): LinkXml {
    const taken = this.#taken;
    this.#taken = noLinks;
    return taken;
  }
}

const noLinks: LinkXml = { hyperlinks: "", relationships: "", omittedLinks: 0 };

/** Returns a relationship to `url`, which must already be escaped for XML. */
function externalLinkXml(id: string, url: string): string {
  return `<Relationship Id="${id}" Type="${officeNamespace}/hyperlink" Target="${url}" TargetMode="External"/>`;
}
