import { fileExtension, type ReportFormat } from "../types/format.ts";
import type { ReportPreviewReader, RowCountEstimate } from "./preview.ts";
import type { FormatLimit } from "../types/type-definition.ts";
import type { StartInput } from "./start-input.ts";

export interface FormatEstimate {
  readonly format: ReportFormat;
  readonly rows: number | null;
  readonly rowsAre: RowCountEstimate["rowsAre"] | null;
  readonly sizeBytes: number | null;
  readonly seconds: number | null;
  readonly maxRows: number;
  readonly fits: boolean | null;
}

export async function estimateReport(
  deps: { readonly previews: ReportPreviewReader },
  { definition, searchParam, options }: Pick<StartInput, "definition" | "searchParam" | "options">,
  signal: AbortSignal,
): Promise<readonly FormatEstimate[]> {
  const formats = Object.entries(definition.formats) as [ReportFormat, FormatLimit][];
  const forecast = await deps.previews.forecast({ definition, searchParam, timezone: options.timezone }, signal);
  const { rows, rowsAre, sourceMaxRows } = forecast ?? { rows: null, rowsAre: null, sourceMaxRows: null };
  const extensions = Object.fromEntries(
    formats.map(([format]) => [format, fileExtension(format, options.compression)]),
  );
  const paces =
    rows === null ? [] : await deps.previews.readPaces({ reportType: definition.type, rows, extensions }, signal);
  return formats.map(([format, { maxRows: ownMaxRows }]) => {
    const pace = paces.find((each) => each.format === format);
    const maxRows = Math.min(ownMaxRows, sourceMaxRows ?? ownMaxRows);
    return {
      format,
      rows,
      rowsAre,
      sizeBytes: rows === null || pace === undefined ? null : Math.round(rows * pace.bytesPerRow),
      seconds: rows === null || pace === undefined ? null : Math.round((rows / pace.rowsPerSecond) * 10) / 10,
      maxRows,
      fits: rows === null ? null : rows <= maxRows,
    };
  });
}
