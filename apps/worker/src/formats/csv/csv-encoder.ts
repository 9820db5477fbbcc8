import type { ColumnKind, ReportColumn } from "@reports/core/report";
import { createRfc3339Appender } from "../../wire/append-timestamp.ts";
import { createFieldCountError } from "../../wire/broken-rows-error.ts";
import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { createCsvListAppender } from "./csv-cell.ts";
import { startsFormula, formulaStartByteTables, nonCommaSeparatorTable } from "./formula-guard.ts";

const comma = 0x2c;
const quote = 0x22;
const apostrophe = 0x27;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const letterT = 0x74;
const trueWord = new Uint8Array([0x74, 0x72, 0x75, 0x65]);
const falseWord = new Uint8Array([0x66, 0x61, 0x6c, 0x73, 0x65]);

/** How the encoder writes the cells of a column. The values are numbers, because the encoder compares one for every field. */
const cellActions = { copy: 0, text: 1, boolean: 2, timestamp: 3, list: 4 } as const;

/** Class in `bareByteClasses` of a byte that ends an unquoted field. A byte of class 1 may be followed by a formula; others have class 0. */
const fieldEndClass = 2;
const bareByteClasses = nonCommaSeparatorTable.map((separates, byte) =>
  byte === comma || byte === lineFeed ? fieldEndClass : separates,
);

/** Factor by which encoding can lengthen a row at most. For example, `t⏎` (2 bytes) becomes `true␍⏎` (6 bytes). */
const maxGrowth = 4;

/** Returns a function that appends whole rows of the wire form as csv (RFC 4180, CRLF). Throws BrokenRowsError for a wrong number of fields. */
export function createCsvEncoder(
  columns: readonly ReportColumn[],
  out: ByteBuffer,
  { formulaGuard, timezone }: { readonly formulaGuard: boolean; readonly timezone: string },
): (rows: Uint8Array) => void {
  const columnActions = Uint8Array.from(columns, (column) => selectCellAction(column.kind));
  const special = new ByteBuffer(1024);
  const appendList = createCsvListAppender(special, formulaGuard);
  const appendTimestamp = createRfc3339Appender(timezone);

  return (rows) => {
    out.reserve(rows.length * maxGrowth);
    const target = out.bytes;
    const length = rows.length;
    let to = out.length;
    let column = 0;
    let at = 0;
    while (at < length) {
      const start = at;
      const fieldStart = to;
      const action = columnActions[column] as number;
      let byte = rows[at] as number;
      if (byte === quote) {
        target[to++] = quote;
        at++;
        const isGuarded = formulaGuard && action === cellActions.text;
        if (isGuarded && startsFormula(rows, at, length, formulaStartByteTables.ofQuoted, "doubled"))
          target[to++] = apostrophe;
        while (at < length) {
          byte = rows[at++] as number;
          target[to++] = byte;
          if (
            isGuarded &&
            nonCommaSeparatorTable[byte] === 1 &&
            startsFormula(rows, at, length, formulaStartByteTables.inside, "doubled")
          )
            target[to++] = apostrophe;
          if (byte !== quote) continue;
          if (rows[at] !== quote) break;
          target[to++] = quote;
          at++;
        }
      } else if (formulaGuard && action === cellActions.text) {
        if (startsFormula(rows, at, length, formulaStartByteTables.ofBare, "doubled")) target[to++] = apostrophe;
        let kind = bareByteClasses[byte] as number;
        while (kind !== fieldEndClass && at < length) {
          target[to++] = byte;
          byte = rows[++at] as number;
          if (kind === 1 && startsFormula(rows, at, length, formulaStartByteTables.inside, "doubled"))
            target[to++] = apostrophe;
          kind = bareByteClasses[byte] as number;
        }
      } else {
        while (byte !== comma && byte !== lineFeed && at < length) {
          target[to++] = byte;
          byte = rows[++at] as number;
        }
      }
      if (action > cellActions.text && at > start) {
        // The code above has copied a boolean, timestamp or list like text. They are rare, so overwriting them is cheaper than checking the kind of
        // each byte.
        special.length = 0;
        if (action === cellActions.timestamp) appendTimestamp(special, rows, start, at);
        else if (action === cellActions.list) appendList(rows, start, at);
        else special.append(rows[start] === letterT ? trueWord : falseWord);
        to = fieldStart;
        for (let from = 0; from < special.length; from++) target[to++] = special.bytes[from] as number;
      }
      column++;
      byte = rows[at++] as number;
      if (byte === comma) {
        target[to++] = comma;
        continue;
      }
      if (column !== columns.length) throw createFieldCountError(column, columns.length);
      target[to++] = carriageReturn;
      target[to++] = lineFeed;
      column = 0;
    }
    out.length = to;
  };
}

function selectCellAction(kind: ColumnKind): number {
  switch (kind) {
    case "text":
    case "boolean":
    case "timestamp":
    case "list":
      return cellActions[kind];
    default:
      return cellActions.copy;
  }
}
