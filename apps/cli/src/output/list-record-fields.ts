import type { Report } from "@reports/client";
import { describeEventCause, type EventCause } from "./describe-event-cause.ts";
import { formatBytes, formatRowsDone } from "./format-amount.ts";
import type { TableColumn } from "./format-table.ts";

export interface RecordField {
  readonly name: string;
  readonly text: string;
}

export const recordFieldColumns: readonly TableColumn<RecordField>[] = [
  { heading: "FIELD", text: ({ name }) => name },
  { heading: "VALUE", text: ({ text }) => text, wrapsTo: 24 },
];

export const reportListColumns: readonly TableColumn<Report>[] = [
  { heading: "ID", text: ({ id }) => id, kind: "id" },
  { heading: "TYPE", text: ({ reportType }) => reportType },
  { heading: "STATUS", text: ({ status }) => status },
  {
    heading: "%",
    text: ({ progress }) => (progress.percent === null ? "" : `${progress.percent}`),
    align: "right",
    spare: 6,
  },
  { heading: "ROWS", text: ({ rowCount }) => (rowCount === null ? "" : `${rowCount}`), align: "right", spare: 4 },
  { heading: "FORMAT", text: ({ format }) => format, spare: 3 },
  { heading: "CREATED", text: ({ createdAt }) => createdAt, kind: "age", spare: 1 },
  { heading: "REQUESTED BY", text: ({ requestedBy }) => requestedBy, cutsTo: 12, spare: 5 },
  { heading: "TITLE", text: ({ title }) => title, cutsTo: 20, spare: 2 },
];

export function listRecordFields(report: Report, waitCause: EventCause | null = null): readonly RecordField[] {
  const { file, error, progress } = report;
  const hasEndedWithout = report.status === "FAILED" || report.status === "CANCELLED";
  const facts: readonly (readonly [name: string, text: string | null])[] = [
    ["id", report.id],
    ["type", report.reportType],
    ["title", report.title],
    ["status", report.status],
    ["waits because", waitCause === null ? null : `${describeEventCause(waitCause)}; retried for six hours`],
    ["progress", hasEndedWithout ? null : describeProgress(progress)],
    ["error", error === null ? null : `${error.code}: ${error.detail}`],
    ["file", file === null ? null : `${file.fileName} (${formatBytes(file.size)})`],
    ["sha256", file?.sha256 ?? null],
    ["format", report.format],
    ["filters", describeFilters(report.searchParam)],
    ["requested by", report.requestedBy],
    ["created", report.createdAt],
    ["started", report.startedAt],
    ["finished", report.finishedAt],
    ["data as of", report.dataAsOf],
    ["kept until", report.expiresAt],
    ["attempts", report.attempt > 1 ? `${report.attempt}, of which ${report.failures} failed` : null],
  ];
  return [
    ...facts.flatMap(([name, text]) => (text === null ? [] : [{ name, text }])),
    ...report.warnings.map(({ message }) => ({ name: "warning", text: message })),
  ];
}

function describeProgress({ phase, rowsDone, rowsTotal, percent }: Report["progress"]): string {
  const percentText = percent === null ? null : `${percent} %`;
  return [phase, percentText, formatRowsDone(rowsDone, rowsTotal)].filter((part) => part !== null).join(", ");
}

function describeFilters(filters: Report["searchParam"]): string | null {
  const texts = Object.entries(filters).flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`));
  return texts.length === 0 ? null : texts.join(" ");
}
