import type { QueryPlanAccess } from "@reports/core/report";
import { describeFilterNames, type FilterQueryPlan, type SourceCheckResult } from "./check-sources.ts";

const manyRows = 100_000;

export function describeSourceCheck(checked: SourceCheckResult): string {
  const { type, version, authority, source, differences, unreachable, rowsNotRead, plans, files } = checked;
  const from = source === null ? "rows from its own function" : `rows from the source ${source}`;
  const lines = [
    `${type} (version ${version}), authority ${authority}, ${from}`,
    ...differences.map(({ code, message }) => `  differs  ${message} (${code})`),
    ...(unreachable === null ? [] : [`  unreachable  ${unreachable}`]),
    ...(source === null || differences.length > 0 || unreachable !== null ? [] : ["  fits     its source"]),
    ...plans.map((plan) => `  plan     ${describePlan(plan)}`),
    ...plans.flatMap((plan) => warningsOf(plan).map((warning) => `  warning  ${warning}`)),
    ...(rowsNotRead === null ? [] : [`  rows     not read, because its function failed here: ${rowsNotRead}`]),
    ...(files[0]?.rows === 0 ? ["  rows     none. Choose others with --where."] : []),
    ...files.map(
      ({ fileName, rows, sizeBytes }) =>
        `  file     ${fileName.padEnd(44)} ${count(rows, "row").padStart(11)} ${count(sizeBytes, "byte").padStart(15)}`,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

export function toSourceCheckJson({ plans, ...checked }: SourceCheckResult): object {
  return { ...checked, plans: plans.map((plan) => ({ ...plan, warnings: warningsOf(plan) })) };
}

function describePlan({ filters, plan }: FilterQueryPlan): string {
  if (plan === null)
    return `${describeFilterNames(filters)}: not explained, because there is no sample value. Give one with --where.`;
  const parts = [
    ...plan.reads.map(describeRead),
    ...plan.sortedRows.map((rows) => `sort of about ${count(rows, "row")}`),
  ];
  return `${describeFilterNames(filters)}: about ${count(plan.rows, "row")} by ${unique(parts).join(", ") || "no table"}`;
}

function warningsOf({ filters, plan }: FilterQueryPlan): readonly string[] {
  const { reads = [], sortedRows = [] } = plan ?? {};
  const scans = reads
    .filter((read) => read.kind === "sequential-scan" && (read.rows ?? 0) > manyRows)
    .map(describeRead);
  const sorts = sortedRows.filter((rows) => rows > manyRows).map((rows) => `sort of about ${count(rows, "row")}`);
  return unique([...scans, ...sorts]).map((part) => `${describeFilterNames(filters)}: ${part}`);
}

function describeRead(read: QueryPlanAccess): string {
  switch (read.kind) {
    case "sequential-scan":
      return read.rows === null
        ? `sequential scan of ${read.relation}, which was never analysed`
        : `sequential scan of ${read.relation} over about ${count(read.rows, "row")}`;
    case "index":
      return `index ${read.index}`;
    case "other":
      return read.step;
  }
}

function unique(parts: readonly string[]): readonly string[] {
  const shown = 6;
  const distinct = [...new Set(parts)];
  return distinct.length <= shown ? distinct : [...distinct.slice(0, shown), `${distinct.length - shown} more`];
}

function count(amount: number, unit: string): string {
  const rounded = Math.round(amount);
  return `${rounded.toLocaleString("en")} ${unit}${rounded === 1 ? "" : "s"}`;
}
