import { PermanentReportError, readThrownMessage, StoreUnavailableError } from "@reports/core/base";
import { readFirstObjectRows, type PreviewCellTexts } from "@reports/core/report";
import { importReportTypes } from "./load-report-types.ts";
import type { ObjectPreviewRequest, PreviewFailureReason } from "./object-preview-request.ts";

/**
 * Imports the report types in this process and reads the first rows of one type. Calls `onRows` once with them. Resolves when their function has
 * ended.
 */
export async function readObjectPreview(
  { choice, reportType, columns, ...request }: ObjectPreviewRequest,
  signal: AbortSignal,
  onRows: (rows: PreviewCellTexts) => void,
): Promise<void> {
  const types = await importReportTypes(choice);
  const definition = types.map((type) => type.definition).find(({ type }) => type === reportType);
  if (definition?.rows.kind !== "objects") throw new Error(`There is no type ${reportType} with object rows.`);
  const shown = columns.map((key) => {
    const column = definition.columns.find((each) => each.key === key);
    if (column === undefined) throw new Error(`The type ${reportType} has no column ${key}.`);
    return column;
  });
  await readFirstObjectRows(definition.rows, { ...request, definition, columns: shown }, { signal, onRows });
}

/** Describes an error of the rows so that it can be sent to another process. Never throws. */
export function describePreviewFailure(error: unknown): { failure: PreviewFailureReason; message: string } {
  return { failure: classifyFailure(error), message: readThrownMessage(error) };
}

function classifyFailure(error: unknown): PreviewFailureReason {
  try {
    if (error instanceof PermanentReportError) return "permanent";
    return error instanceof StoreUnavailableError ? "unavailable" : "broken";
  } catch {
    // Reading the class of a thrown value can throw, if the value is a Proxy.
    return "broken";
  }
}
