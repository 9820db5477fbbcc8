import type { ColumnKind, FoldedRowStream, ReportColumn, ReportSummary, RowStream } from "@reports/core/report";
import { ByteBuffer } from "../../wire/byte-buffer.ts";
import { resolveSummary, type FormatRenderer, type RenderContext, type DocumentInput } from "../format-renderer.ts";
import { createSubtotalsOmittedWarning } from "../subtotals.ts";
import { maxListedGroups } from "../../wire/fold-groups.ts";
import { createJsonEncoder } from "./json-encoder.ts";
import { parseTextArray } from "../../wire/read-rows.ts";
import { formatRfc3339 } from "../../wire/append-timestamp.ts";
import { writeEncodedRows } from "../write-encoded.ts";
import { scanFields } from "../../wire/scan-fields.ts";

const initialBufferBytes = 640 * 1024;

export const jsonRenderer: FormatRenderer = {
  async render(rows, document, sink, context) {
    const out = new ByteBuffer(initialBufferBytes);
    const isFolded = typeof rows.summary === "function";
    const head = {
      report: describeReport(rows, document),
      columns: rows.columns.map(describeColumn),
      ...(isFolded ? {} : { summary: describeSummary(resolveSummary(rows)) }),
    };
    out.appendText(`${JSON.stringify(head).slice(0, -1)},"rows":[\n`);
    const encoder = createJsonEncoder(rows.columns, out, {
      timezone: document.request.options.timezone,
      betweenRows: ",",
    });
    const encode = (block: Uint8Array): void => scanFields(block, rows.columns.length, encoder);
    await writeEncodedRows(rows, { out, encode }, sink, context);
    const tail = {
      ...describeSubtotals(document, context),
      ...(isFolded ? { summary: describeSummary(resolveSummary(rows)) } : {}),
    };
    const parts = Object.entries(tail).map(([key, value]) => `,"${key}":${JSON.stringify(value)}`);
    out.appendText(`]${parts.join("")}}\n`);
    await sink.write(out.view());
  },
};

function describeReport(rows: RowStream | FoldedRowStream, { request }: DocumentInput) {
  const { options } = request;
  return {
    id: request.reportId,
    reportType: request.reportType,
    title: request.title,
    requestedBy: request.requestedBy,
    createdAt: request.createdAt,
    dataAsOf: rows.dataAsOf.toISOString(),
    searchParam: request.searchParam,
    sort: options.sort,
    groupBy: options.groupBy,
    timezone: options.timezone,
    locale: options.locale,
  };
}

type ShownColumn = Pick<ReportColumn, "key" | "title" | "kind" | "unit" | "currency">;

function describeSubtotals({ request, definition }: DocumentInput, { groups: fold, warn }: RenderContext): object {
  if (fold === undefined) return {};
  const { groupBy, format } = request.options;
  const { figures } = fold;
  const groups = fold.groups();
  if (groups === null) {
    warn(createSubtotalsOmittedWarning(format, maxListedGroups));
    return {};
  }
  const { kind: kindOfGroup = "text" } = definition.columns.find(({ key }) => key === groupBy) ?? {};
  return {
    subtotals: {
      groupBy,
      figures: figures.map(describeColumn),
      groups: groups.map(({ value, rows, values }) => ({
        value: jsonValue(kindOfGroup, value),
        rows,
        figures: Object.fromEntries(figures.map(({ key, kind }, at) => [key, jsonValue(kind, values[at] ?? null)])),
      })),
    },
  };
}

/** `JSON.stringify` leaves out a unit or currency that is undefined. */
function describeColumn({ key, title, kind, unit, currency }: ShownColumn) {
  return { key, title, kind, unit, currency };
}

function describeSummary({ figures, charts, attention }: ReportSummary) {
  return {
    figures: figures.map(({ key, title, kind, value, tone, unit, currency }) => ({
      key,
      title,
      kind,
      value: jsonValue(kind, value),
      tone,
      unit,
      currency,
    })),
    charts,
    attention: attention && {
      title: attention.title,
      total: attention.total,
      columns: attention.columns.map(describeColumn),
      rows: attention.rows.map((row) =>
        Object.fromEntries(
          attention.columns.map((column, index) => [column.key, jsonValue(column.kind, row[index] ?? null)]),
        ),
      ),
    },
  };
}

function jsonValue(kind: ColumnKind, value: string | null): unknown {
  if (value === null) return null;
  switch (kind) {
    case "integer":
      return Number(value);
    case "boolean":
      return value === "t";
    case "timestamp":
      return formatRfc3339(value);
    case "list":
      return parseTextArray(value);
    default:
      return value;
  }
}
