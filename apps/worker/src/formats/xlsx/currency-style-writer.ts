import { Buffer } from "node:buffer";
import type { ReportColumn } from "@reports/core/report";
import { toAlignedBytes, type ByteBuffer, type AlignedBytes } from "../../wire/byte-buffer.ts";
import { toCellStyleIndex } from "./cell-style-indexes.ts";
import type { ColumnCellStyles } from "./column-cell-styles.ts";

export interface CurrencyStyleWriter {
  isAmount(column: number): boolean;
  readField(column: number, bytes: Uint8Array, start: number, end: number): void;
  /** Begins the cell of an amount. `endRow` inserts its style, because the currency can come after the amount. */
  beginAmount(column: number, appendCell: (column: number, rest: AlignedBytes) => void): void;
  endRow(): void;
}

const amountStart = toAlignedBytes('" s="');
const amountStartEnd = toAlignedBytes('"><v>');
const codeLength = 3;

type AmountColumn = Pick<ReportColumn, "kind"> & ColumnCellStyles & { readonly currencyField?: number };

export function createCurrencyStyleWriter(
  columns: readonly AmountColumn[],
  out: ByteBuffer,
): CurrencyStyleWriter | null {
  const amounts = columns.map(({ kind, style = toCellStyleIndex(kind), styleByCurrency, currencyField = -1 }) => {
    if (styleByCurrency === undefined || currencyField < 0) return undefined;
    const styles = Object.entries(styleByCurrency).map(([code, own]) => [code, Buffer.from(String(own))] as const);
    return { currencyField, byCode: new Map(styles), others: Buffer.from(String(style)) };
  });
  const codes = new Map(amounts.flatMap((amount) => (amount === undefined ? [] : [[amount.currencyField, ""]])));
  if (codes.size === 0) return null;
  let pending: { readonly column: number; readonly at: number }[] = [];
  return {
    isAmount: (column) => amounts[column] !== undefined,
    readField(column, bytes, start, end) {
      if (!codes.has(column)) return;
      codes.set(
        column,
        end - start === codeLength
          ? String.fromCharCode(bytes[start] as number, bytes[start + 1] as number, bytes[start + 2] as number)
          : "",
      );
    },
    beginAmount(column, appendCell) {
      appendCell(column, amountStart);
      pending.push({ column, at: out.length });
      out.appendWords(amountStartEnd);
    },
    endRow() {
      // The last amount gets its style first, so that the positions of earlier amounts stay valid.
      for (const { column, at } of pending.reverse()) {
        const { byCode, others, currencyField } = amounts[column]!;
        out.insert(at, byCode.get(codes.get(currencyField)!) ?? others);
      }
      pending = [];
    },
  };
}
