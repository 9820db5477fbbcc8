import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  languages,
  reportFormats,
  rowSnapshotPathOf,
  type ObjectRow,
  type ObjectRows,
  type ObjectRowsRequest,
  type RenderResult,
  type ReportFormat,
  type ReportTypeDefinition,
  type RowSourceReader,
} from "@reports/core/report";
import { newId, withDeadline } from "@reports/runtime";
import { defaultBrand } from "../brand/brand.ts";
import { createRenderFunction } from "../renderer/render-report.ts";
import { parseStartInput, type NameValuePairs } from "./list-query-plan-cases.ts";

export const maxCheckedRowsPerType = 1_000;
const maxSpoolBytes = 1024 ** 3;

export interface TimezoneAndLocale {
  readonly timezone: string;
  readonly locale: string;
}

export interface RenderedFile extends TimezoneAndLocale {
  readonly fileName: string;
  readonly format: ReportFormat;
  readonly rows: number;
  readonly sizeBytes: number;
}

export interface RenderRealRowsOptions {
  readonly rowSource: RowSourceReader;
  readonly filters: NameValuePairs;
  readonly variants: readonly TimezoneAndLocale[];
  /** Folder for the files, created if missing; files of the same name are replaced. If null, the files are deleted after the check. */
  readonly out: string | null;
  readonly timeLimitMs: number;
}

/** Thrown if a row function fails. The cause may be a service that can't be reached from here. */
export class RowFunctionError extends Error {
  override readonly name = "RowFunctionError";
}

/**
 * Reads at most 1,000 rows of a type once, and renders them in each of its formats and variants. Rejects with the error of the source or renderer,
 * with RowFunctionError, or with DeadlineExceededError.
 */
export async function renderRealRows(
  definition: ReportTypeDefinition,
  settings: RenderRealRowsOptions,
): Promise<readonly RenderedFile[]> {
  const folder = await mkdtemp(join(tmpdir(), "check-report-types-"));
  try {
    return await withDeadline(
      async (signal) => renderInto(folder, definition, settings, signal),
      settings.timeLimitMs,
      `Reading and rendering at most ${maxCheckedRowsPerType.toLocaleString("en")} rows`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function renderInto(
  folder: string,
  definition: ReportTypeDefinition,
  { rowSource, filters, variants, out, timeLimitMs }: RenderRealRowsOptions,
  signal: AbortSignal,
): Promise<readonly RenderedFile[]> {
  const formats = reportFormats.filter((format) => definition.formats[format] !== undefined);
  const limit = Math.min(maxCheckedRowsPerType, ...formats.map((format) => definition.formats[format]!.maxRows));
  const limited = withFirstRows(definition, limit);
  const render = createRenderFunction({
    catalogue: { find: () => limited },
    rowSource: { open: async (request) => rowSource.open({ ...request, firstRows: limit }) },
    csvFormulaGuard: true,
    brand: defaultBrand,
  });
  const make = async (name: string, options: NameValuePairs, keptRowsPath: string | null): Promise<RenderResult> => {
    const input = parseStartInput(limited, filters, options);
    return render(
      {
        reportId: newId(),
        attempt: 1,
        reportType: definition.type,
        title: input.title,
        requestedBy: "basic:check",
        requesterName: null,
        createdAt: new Date().toISOString(),
        now: new Date().toISOString(),
        searchParam: input.searchParam,
        options: input.options,
        spoolPath: join(folder, name),
        maxSpoolBytes,
        maxRows: limit,
        runTimeLimitMs: timeLimitMs,
        keptRowsPath,
      },
      { signal, onProgress: () => undefined },
    );
  };
  await make(
    "rows",
    [
      ["keepRows", "true"],
      ["format", formats.at(-1)!],
    ],
    null,
  );
  if (out !== null) await mkdir(out, { recursive: true });
  const files: RenderedFile[] = [];
  for (const { timezone, locale } of variants) {
    for (const format of formats) {
      const name = `${definition.type}.${locale}.${timezone.replaceAll("/", "-")}.${format}`;
      const options = [
        ["format", format],
        ["timezone", timezone],
        ["locale", locale],
        ["language", languageOf(locale)],
      ] as const;
      const { rowCount: rows, sizeBytes } = await make(name, options, rowSnapshotPathOf(join(folder, "rows")));
      if (out !== null) await copyFile(join(folder, name), join(out, name));
      files.push({ fileName: name, format, timezone, locale, rows, sizeBytes });
    }
  }
  return files;
}

function languageOf(locale: string): string {
  return languages.find((language) => locale === language || locale.startsWith(`${language}-`)) ?? "en";
}

function withFirstRows(definition: ReportTypeDefinition, limit: number): ReportTypeDefinition {
  const source = definition.rows;
  if (source.kind !== "objects") return definition;
  async function* firstRows(rows: ObjectRows, request: ObjectRowsRequest): AsyncGenerator<ObjectRow> {
    let count = 0;
    for await (const row of markErrors(rows, request)) {
      yield row;
      if (++count === limit) return;
    }
  }
  return { ...definition, rows: { kind: "objects", rows: (request) => firstRows(source, request) } };
}

async function* markErrors(source: ObjectRows, request: ObjectRowsRequest): AsyncGenerator<ObjectRow> {
  try {
    yield* source.rows(request);
  } catch (error) {
    throw new RowFunctionError(error instanceof Error ? error.message : String(error));
  }
}
