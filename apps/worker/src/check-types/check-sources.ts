import { PermanentReportError, sanitiseUntrustedText, StoreUnavailableError } from "@reports/core/base";
import {
  sourceNameOf,
  type RegisteredReportType,
  type QueryPlanReader,
  type QueryPlan,
  type ReportTypeDefinition,
  type RowSourceReader,
  type ReportTypeCheckResult,
  type ReportTypeMismatch,
} from "@reports/core/report";
import { formatErrorWithCauses } from "../commands/command-line.ts";
import {
  addMissingRequiredFilters,
  listQueryPlanCases,
  listColumnsToSample,
  parseStartInputOrNull,
  type QueryPlanCase,
  type NameValuePairs,
} from "./list-query-plan-cases.ts";
import { renderRealRows, RowFunctionError, type RenderedFile, type RenderRealRowsOptions } from "./render-real-rows.ts";

/** The database's query plan for one start of a report. `filters` holds names without values, because a value may be real data. */
export interface FilterQueryPlan {
  readonly filters: readonly string[];
  /** Null if the query was not explained, because no sample value was found that the filter accepts. */
  readonly plan: QueryPlan | null;
}

export interface SourceCheckResult {
  readonly type: string;
  readonly version: number;
  readonly authority: string;
  readonly source: string | null;
  readonly differences: readonly ReportTypeMismatch[];
  readonly unreachable: string | null;
  readonly rowsNotRead: string | null;
  readonly plans: readonly FilterQueryPlan[];
  readonly files: readonly RenderedFile[];
}

export interface SourceCheckOptions extends Omit<RenderRealRowsOptions, "filters" | "rowSource"> {
  readonly compare: () => Promise<ReportTypeCheckResult>;
  readonly openPlans: (source: string) => Promise<QueryPlanReader>;
  readonly rowSource: RowSourceReader;
  readonly where: NameValuePairs;
}

const maxMessageLength = 500;
const noSamples: ReadonlyMap<string, string> = new Map();

/**
 * Compares types with their sources, explains their queries and renders real rows. Yields the result of each type as soon as it is known. Throws
 * UsageError if a type does not accept a value of `where`.
 */
export async function* checkSources(
  types: readonly RegisteredReportType[],
  settings: SourceCheckOptions,
): AsyncGenerator<SourceCheckResult> {
  const compared = await settings.compare();
  for (const { definition, authority } of types) {
    const { type, version } = definition;
    const found = compared.differences.get(type) ?? [];
    const refused = found.find(({ code }) => code === "SOURCE_REFUSED");
    const checked: SourceCheckResult = {
      type,
      version,
      authority,
      source: sourceNameOf(definition),
      differences: refused === undefined ? found : [],
      unreachable: refused?.message ?? compared.unknown.get(type) ?? null,
      rowsNotRead: null,
      plans: [],
      files: [],
    };
    yield found.length > 0 || checked.unreachable !== null
      ? checked
      : { ...checked, ...(await tryRows(definition, settings)) };
  }
}

type RowsResult = Partial<Pick<SourceCheckResult, "plans" | "files" | "differences" | "unreachable" | "rowsNotRead">>;

async function tryRows(definition: ReportTypeDefinition, settings: SourceCheckOptions): Promise<RowsResult> {
  const source = sourceNameOf(definition);
  let reader: QueryPlanReader | null = null;
  try {
    reader = source === null ? null : await settings.openPlans(source);
    const samples = reader === null ? noSamples : await readSamples(reader, definition, settings.where);
    const base = addMissingRequiredFilters(definition, settings.where, (column) => samples.get(column));
    const cases = listQueryPlanCases(definition, base, (column) => samples.get(column));
    const explained = reader === null ? { plans: [], differences: [] } : await explainCases(reader, definition, cases);
    const files = await tryFiles(definition, { ...settings, filters: base });
    return { ...explained, ...files, differences: [...explained.differences, ...(files.differences ?? [])] };
  } catch (error) {
    if (error instanceof StoreUnavailableError) return { unreachable: messageOf(error) };
    throw error;
  } finally {
    reader?.close();
  }
}

async function readSamples(
  reader: QueryPlanReader,
  definition: ReportTypeDefinition,
  where: NameValuePairs,
): Promise<ReadonlyMap<string, string>> {
  const isNeeded = ({ name, operator }: ReportTypeDefinition["filters"][number]): boolean =>
    operator === "parameter" || where.some(([given]) => given === name);
  const needed = { ...definition, filters: definition.filters.filter(isNeeded) };
  const input = parseStartInputOrNull(
    needed,
    addMissingRequiredFilters(needed, where, () => undefined),
  );
  if (input === null) return noSamples;
  const request = { definition, searchParam: input.searchParam, timezone: "UTC" };
  return reader.sampleValues(request, listColumnsToSample(definition)).catch(() => noSamples);
}

async function explainCases(
  reader: QueryPlanReader,
  definition: ReportTypeDefinition,
  cases: readonly QueryPlanCase[],
): Promise<Required<Pick<RowsResult, "plans" | "differences">>> {
  const plans: FilterQueryPlan[] = [];
  const differences: ReportTypeMismatch[] = [];
  for (const { filters, input } of cases) {
    if (input === null) {
      plans.push({ filters, plan: null });
      continue;
    }
    const { searchParam } = input;
    const { columns, defaultSort: sort } = definition;
    try {
      plans.push({ filters, plan: await reader.explain({ definition, columns, searchParam, sort, timezone: "UTC" }) });
    } catch (error) {
      const message = `The database refuses the query with ${describeFilterNames(filters)}: ${messageOf(error)}`;
      differences.push({ code: "QUERY_REFUSED", message });
    }
  }
  return { plans, differences };
}

export function describeFilterNames(filters: readonly string[]): string {
  return filters.length === 0 ? "no filter" : `filter ${filters.join(" and ")}`;
}

async function tryFiles(definition: ReportTypeDefinition, settings: RenderRealRowsOptions): Promise<RowsResult> {
  try {
    return { files: await renderRealRows(definition, settings) };
  } catch (error) {
    const message = messageOf(error);
    const isLate = error instanceof PermanentReportError && error.code === "RUN_TIME_LIMIT_EXCEEDED";
    if (error instanceof RowFunctionError || (isLate && definition.rows.kind === "objects"))
      return { rowsNotRead: message };
    if (error instanceof StoreUnavailableError) return { unreachable: message };
    return { differences: [{ code: "ROWS_REFUSED", message: `The rows cannot be read or rendered: ${message}` }] };
  }
}

/** Describes an error with its causes. Postgres quotes values of rows in errors of class 22 (data exceptions), so only their code is shown. */
function messageOf(error: unknown): string {
  const state = sqlStateOf(error);
  const isAboutValue = state?.startsWith("22") === true;
  const ownMessage = error instanceof PermanentReportError ? `${error.message} ` : "";
  const message = isAboutValue ? `${ownMessage}(SQLSTATE ${state})` : formatErrorWithCauses(error);
  return sanitiseUntrustedText(message, maxMessageLength);
}

function sqlStateOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ("severity" in cause && "code" in cause && typeof cause.code === "string") return cause.code;
  return null;
}
