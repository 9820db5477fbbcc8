import { Buffer } from "node:buffer";
import { cellToText, type ObjectRow, type ObjectRowCells } from "@reports/core/report";

const chunkCharacters = 64 * 1024;

/** Encodes the first `columnCount` cells of each row in the wire form; later cells serve `where` and the summary. `read` returns null for excluded rows. */
export async function* encodeObjectRows(
  rows: AsyncIterable<ObjectRow>,
  columnCount: number,
  read: (row: ObjectRow) => ObjectRowCells | null,
): AsyncGenerator<Buffer> {
  let text = "";
  for await (const object of rows) {
    const row = read(object);
    if (row === null) continue;
    for (let at = 0; at < columnCount; at++) text += `${at === 0 ? "" : ","}${encodeField(cellToText(row.cells[at]!))}`;
    text += "\n";
    if (text.length < chunkCharacters) continue;
    yield Buffer.from(text, "utf8");
    text = "";
  }
  if (text !== "") yield Buffer.from(text, "utf8");
}

function encodeField(text: string | null): string {
  if (text === null) return "";
  return text === "" || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
