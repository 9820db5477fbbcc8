import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { scanFields } from "../../wire/scan-fields.ts";
import { createSheetEncoder, type SheetColumn } from "./sheet-encoder.ts";
import { type DeflatedPiece, deflatePiece } from "./zip-writer.ts";

export interface ConvertedBlock extends DeflatedPiece {
  readonly shortenedCells: number;
}

/** Makes the function that converts blocks of whole rows to deflated sheet XML. `firstRow` is the sheet row of a block's first row. */
export function createBlockConversion(
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
    return { ...deflatePiece(xml.view(), false), shortenedCells: encoder.shortenedCells - shortenedBefore };
  };
}
