import { Buffer } from "node:buffer";
import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { scanFields } from "../../wire/scan-fields.ts";
import type { LinkXml } from "./deflated-links.ts";
import { createSheetEncoder, type SheetColumn } from "./sheet-encoder.ts";
import { type DeflatedPiece, deflatePiece } from "./zip-writer.ts";

export interface ConvertedBlock extends DeflatedPiece {
  readonly shortenedCells: number;
  /** The links of the rows, as pieces of the sheet and of its relationships; null if there are none. */
  readonly links: DeflatedLinks | null;
  readonly omittedLinks: number;
}

export interface DeflatedLinks {
  readonly hyperlinks: DeflatedPiece;
  readonly relationships: DeflatedPiece;
}

/** Returns a function that converts blocks of whole rows to deflated sheet XML. `firstRow` is the sheet row of a block's first row, from 1. */
export function createBlockConvertFunction(
  columns: readonly SheetColumn[],
  timezone: string,
): (rows: Uint8Array, firstRow: number) => ConvertedBlock {
  const xml = new ByteBuffer(1024 * 1024);
  const encoder = createSheetEncoder(columns, xml, timezone);
  return (rows, firstRow) => {
    const shortenedBefore = encoder.shortenedCells;
    xml.length = 0;
    encoder.startAt(firstRow);
    scanFields(rows, columns.length, encoder);
    const { omittedLinks = 0, ...links } = encoder.takeLinks() ?? {};
    return {
      ...deflatePiece(xml.view(), false),
      shortenedCells: encoder.shortenedCells - shortenedBefore,
      links: deflateLinks(links),
      omittedLinks,
    };
  };
}

export function deflateLinks({ hyperlinks = "", relationships = "" }: Partial<LinkXml>): DeflatedLinks | null {
  if (hyperlinks === "") return null;
  const deflate = (text: string): DeflatedPiece => deflatePiece(Buffer.from(text, "utf8"), false);
  return { hyperlinks: deflate(hyperlinks), relationships: deflate(relationships) };
}
