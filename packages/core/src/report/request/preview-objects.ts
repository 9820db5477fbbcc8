import { PermanentReportError } from "../../base/errors.ts";
import { defaultLanguage } from "../types/language.ts";
import { cellToText, createObjectRowReader } from "../types/object-reader.ts";
import { createConditionPredicate } from "../types/row-condition.ts";
import type { ObjectRows, ObjectRowsRequest } from "../types/row-source.ts";
import type { PreviewCellTexts, PreviewRequestWithRequester } from "./preview.ts";

/** Largest number of characters in the rows of a preview, because the API holds the rows in memory. */
const maxPreviewCharacters = 4_000_000;

/**
 * Reads the first rows of an object source. Calls `onRows` once, with the rows of the preview. If the preview is full, then aborts the source's
 * signal, ends its iterator and awaits its end. Rejects with the source's error, and with PermanentReportError for an invalid value or too long
 * rows.
 */
export async function readFirstObjectRows(
  source: ObjectRows,
  { definition, columns, searchParam, sort, timezone, limit, requester }: PreviewRequestWithRequester,
  { signal, onRows }: { readonly signal: AbortSignal; onRows(rows: PreviewCellTexts): void },
): Promise<void> {
  const { where } = definition;
  const tested = new Set(where.map(({ column }) => column));
  for (const { key } of columns) tested.delete(key);
  const readColumns = [...columns, ...definition.columns.filter(({ key }) => tested.has(key))];
  const read = createObjectRowReader(readColumns, timezone);
  const belongs = createConditionPredicate(where, definition.columns);
  const stop = new AbortController();
  const found: (readonly (string | null)[])[] = [];
  let characters = 0;
  const asked: ObjectRowsRequest = {
    searchParam,
    sort,
    timezone,
    columns: [...new Set([...readColumns, ...sort].map(({ key }) => key))],
    limit: where.length === 0 ? limit : null,
    locale: defaultLanguage,
    language: defaultLanguage,
    requester,
    signal: AbortSignal.any([signal, stop.signal]),
  };
  try {
    for await (const object of source.rows(asked)) {
      const row = read(object);
      if (!belongs(row)) continue;
      const texts = row.cells.slice(0, columns.length).map(cellToText);
      characters += texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
      if (characters > maxPreviewCharacters) throw tooLongError();
      found.push(texts);
      if (found.length < limit) continue;
      onRows(found);
      stop.abort(new Error("The preview has all of its rows."));
      return;
    }
  } catch (error) {
    // The rows are complete, so an error with which the source ends no longer matters.
    if (stop.signal.aborted) return;
    throw error;
  }
  onRows(found);
}

function tooLongError(): PermanentReportError {
  return new PermanentReportError(
    "REPORT_TOO_LARGE",
    `They have more than ${maxPreviewCharacters} characters. Choose fewer columns or rows, or start a report.`,
  );
}
