import {
  compressions,
  languages,
  reportStatuses,
  webhookEventTypes,
  type FilterChoice,
  type ReportType,
} from "@reports/client";
import type { Argument, Option } from "commander";
import { readCatalogueFilters } from "../catalogue-filters.ts";

export interface CompletionCandidate {
  readonly value: string;
  readonly description?: string;
}

export interface CompletionRecord {
  readonly id: string;
  readonly text: string;
}

/** Values that only the gateway or this machine knows. Each function returns an empty list if they cannot be read. */
export interface CompletionValueReaders {
  readonly reportTypes: () => Promise<readonly ReportType[]>;
  readonly filterValues: (reportType: string, filter: string) => Promise<readonly FilterChoice[]>;
  readonly profiles: () => readonly CompletionCandidate[];
  /** Reads the newest records of a kind. The keys are names of command arguments. */
  readonly newest: Readonly<Record<"report" | "schedule" | "webhook", () => Promise<readonly CompletionRecord[]>>>;
}

interface ValueSource extends CompletionValueReaders {
  /** Arguments before the cursor. For a start, the first one is the report type. */
  readonly args: readonly string[];
}

type ListCandidates = (types: readonly ReportType[], current: string) => readonly CompletionCandidate[];

const typeCandidates: ListCandidates = (types) =>
  types.map(({ reportType, title }) => ({ value: reportType, description: title }));

/** Candidates from the catalogue, by flag. If the command line names a report type, `types` holds only that one. */
const catalogueValuesByFlag: Readonly<Record<string, ListCandidates>> = {
  type: typeCandidates,
  format: (types) => types.flatMap(({ formats }) => formats.map(({ format }) => ({ value: format }))),
  columns: (types, current) => addListEntries(current, columnCandidates(types)),
  sort: (types, current) =>
    addListEntries(
      current,
      columnCandidates(types, "sortable").flatMap((column) => [column, { ...column, value: `-${column.value}` }]),
    ),
  groupBy: (types) => columnCandidates(types, "groupable"),
  where: (types, current) => {
    const name = current.includes("=") ? current.slice(0, current.indexOf("=")) : null;
    const filters = types.flatMap(readCatalogueFilters);
    if (name === null) return filters.map((filter) => ({ value: `${filter.name}=`, description: filter.description }));
    return filters
      .filter((filter) => filter.name === name)
      .flatMap(({ values }) => values.map((value) => ({ value: `${name}=${value}` })));
  },
};

const fixedValuesByFlag: Readonly<Record<string, () => readonly string[]>> = {
  status: () => reportStatuses,
  compression: () => compressions,
  language: () => languages,
  event: () => webhookEventTypes,
  zone: timezones,
  timezone: timezones,
};

function timezones(): readonly string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone")];
}

export async function listFlagCandidates(
  source: ValueSource,
  option: Option,
  current: string,
): Promise<readonly CompletionCandidate[]> {
  if (option.argChoices !== undefined) return option.argChoices.map((value) => ({ value }));
  const name = option.attributeName();
  if (name === "profile") return source.profiles();
  const known = fixedValuesByFlag[name];
  if (known !== undefined) return known().map((value) => ({ value }));
  if (name === "where" && current.includes("=")) {
    const fromData = await filterCandidates(source, current.slice(0, current.indexOf("=")));
    if (fromData.length > 0) return fromData;
  }
  const valuesOf = catalogueValuesByFlag[name];
  return valuesOf === undefined ? [] : removeDuplicates(valuesOf(await listTypes(source), current));
}

export async function listArgumentCandidates(
  source: ValueSource,
  argument: Argument,
  current: string,
): Promise<readonly CompletionCandidate[]> {
  if (argument.argChoices !== undefined) return argument.argChoices.map((value) => ({ value }));
  const name = argument.name();
  switch (name) {
    case "type":
      return typeCandidates(await source.reportTypes(), "");
    case "report":
      return [{ value: "@last", description: "your newest report" }, ...(await idCandidates(source, name, current))];
    case "schedule":
    case "webhook":
      return idCandidates(source, name, current);
    default:
      return [];
  }
}

async function filterCandidates(source: ValueSource, filter: string): Promise<readonly CompletionCandidate[]> {
  const types = await listTypes(source);
  const [type] = types.filter(({ filterValues }) => filterValues.includes(filter));
  if (types.length !== 1 || type === undefined) return [];
  const values = await source.filterValues(type.reportType, filter);
  return values.map(({ value, title }) => ({
    value: `${filter}=${value}`,
    ...(title === value ? {} : { description: title }),
  }));
}

/** Returns the last characters of IDs, which are quick to type. Returns whole IDs if the person has begun to type one. */
async function idCandidates(
  { newest }: ValueSource,
  what: keyof ValueSource["newest"],
  current: string,
): Promise<readonly CompletionCandidate[]> {
  const records = await newest[what]();
  return records.map(({ id, text }) => ({
    value: current !== "" && id.startsWith(current) ? id : id.slice(-8),
    description: text,
  }));
}

async function listTypes({ reportTypes, args }: ValueSource): Promise<readonly ReportType[]> {
  const types = await reportTypes();
  const named = types.filter(({ reportType }) => reportType === args[0]);
  return named.length === 0 ? types : named;
}

function columnCandidates(
  types: readonly ReportType[],
  only?: "sortable" | "groupable",
): readonly CompletionCandidate[] {
  return types
    .flatMap(({ columns }) => columns)
    .filter((column) => only === undefined || column[only])
    .map(({ key, title }) => ({ value: key, description: title }));
}

/** Returns candidates that add one entry to a comma-separated list. Omits the entries that the list already has. */
function addListEntries(current: string, candidates: readonly CompletionCandidate[]): readonly CompletionCandidate[] {
  const before = current.slice(0, current.lastIndexOf(",") + 1);
  const taken = new Set(before.split(",").map((key) => key.replace(/^-/, "")));
  return candidates
    .filter(({ value }) => !taken.has(value.replace(/^-/, "")))
    .map((candidate) => ({ ...candidate, value: `${before}${candidate.value}` }));
}

function removeDuplicates(candidates: readonly CompletionCandidate[]): readonly CompletionCandidate[] {
  return [...new Map(candidates.map((candidate) => [candidate.value, candidate])).values()];
}
