import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { scanFields } from "../../wire/scan-fields.ts";
import { createSheetEncoder, type SheetColumn } from "./sheet-encoder.ts";
import { type DeflatedPiece, deflatePiece } from "./zip-writer.ts";

/** A block of rows as a piece of a sheet's entry. */
export interface ConvertedBlock extends DeflatedPiece {
  /** Cells that were longer than Excel holds. */
  readonly shortenedCells: number;
}

/**
 * Makes the function that turns blocks of whole rows into deflated sheet XML, their times on the clocks of the time zone. `firstRow` is the
 * number of a block's first row in its sheet. It runs in threads and, for small reports, outside of them.
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
