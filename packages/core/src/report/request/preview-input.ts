import type { InputIssue } from "../../base/errors.ts";
import { repeatedParameterIssue } from "../../query/repeated-parameter.ts";
import { parseSortKey } from "../../query/sort-key.ts";
import { isCompressible, type ReportFormat } from "../types/format.ts";
import { reportOptionNames } from "./parse-options.ts";
import type { PreviewRequest } from "./preview.ts";
import type { ReportTypeDefinition } from "../types/type-definition.ts";
import { readStartInputFromQuery, type QueryPairs, type StartInput } from "./start-input.ts";

export const previewRowLimits = { most: 100, byDefault: 20 } as const;

export const previewRefusedMessage = "The rows cannot be shown";
export const estimateRefusedMessage = "The report cannot be estimated";

export const previewOptionNames = ["columns", "sort", "timezone"] as const;

export function previewInputFromQuery(definition: ReportTypeDefinition, pairs: QueryPairs, now: Date): PreviewRequest {
  const given = pairs.filter(([name]) => name === "limit").map(([, value]) => value);
  const limit = readLimit(given);
  const issues: InputIssue[] = [];
  if (given.length > 1) issues.push(repeatedParameterIssue("limit", given.length));
  if (limit === null) {
    const message = `limit must be a whole number from 1 to ${previewRowLimits.most}.`;
    issues.push({ parameter: "limit", code: "invalid_parameter", message });
  }
  const others = pairs.filter(([name]) => name !== "limit");
  const { searchParam, options } = readStartInputFromQuery(definition, others, {
    now,
    names: ["searchParam", ...previewOptionNames, "limit"],
    issues,
    failure: previewRefusedMessage,
  });
  // Without `columns`, a preview shows all columns and not those of the default format.
  const keys = pairs.some(([name]) => name === "columns") ? options.columns : definition.columns.map(({ key }) => key);
  const columns = keys.map((key) => definition.columns.find((column) => column.key === key)!);
  const sort = options.sort.map(parseSortKey);
  return {
    definition,
    columns,
    searchParam,
    sort,
    timezone: options.timezone,
    limit: limit ?? previewRowLimits.byDefault,
  };
}

export function estimateInputFromQuery(definition: ReportTypeDefinition, pairs: QueryPairs, now: Date): StartInput {
  return readStartInputFromQuery(definition, withFormat(definition, pairs), {
    now,
    names: ["searchParam", ...reportOptionNames],
    failure: estimateRefusedMessage,
  });
}

/** Adds a compressible format to a query with a compression but no format, because pdf, the default format, allows no compression. */
function withFormat(definition: ReportTypeDefinition, pairs: QueryPairs): QueryPairs {
  const names = pairs.map(([name]) => name);
  const format = Object.keys(definition.formats).find((name) => isCompressible(name as ReportFormat));
  return names.includes("compression") && !names.includes("format") && format !== undefined
    ? [...pairs, ["format", format]]
    : pairs;
}

function readLimit(given: readonly string[]): number | null {
  const [text = String(previewRowLimits.byDefault)] = given;
  return /^[1-9]\d{0,2}$/.test(text) && Number(text) <= previewRowLimits.most ? Number(text) : null;
}
