import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { scanFields } from "../../wire/scan-fields.ts";
import { createSheetEncoder, type SheetColumn } from "./sheet-encoder.ts";
import { type DeflatedPiece, deflatePiece } from "./zip-writer.ts";

export interface ConvertedBlock extends DeflatedPiece {
  /** Cells that exceeded Excel's length. */
  readonly shortenedCells: number;
}

/**
 * Makes the function that turns blocks of whole rows into deflated sheet XML, with times in the time zone. `firstRow` is the number of a
 * block's first row. Threads run it, and small reports run it directly.
 */
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
