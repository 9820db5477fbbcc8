import {
  sourceNameOf,
  type ReportSources,
  type ReportTypeDefinition,
  type ReportTypeUsability,
  type ReportTypeCheckResult,
  type ViewRows,
} from "@reports/core/report";
import { sanitiseUntrustedText, StoreUnavailableError } from "@reports/core/base";
import type { Client } from "pg";
import { connectToAnyHost, destroySocket, readTextRows } from "../database/pg-connection.ts";
import { isTransientSourceError, describePostgresError } from "../database/store-error.ts";
import {
  combineProblems,
  findFilterValuesProblems,
  findViewProblems,
  toRefusedProblem,
  type ReportViewProblem,
} from "./find-view-problems.ts";
import { sourceEngineProperties, type SourceEngineProperties } from "./source-engine-properties.ts";

type ViewType = ReportTypeDefinition & { readonly rows: ViewRows };

const defaultTimeoutMs = 8_000;
const maxReasonLength = 400;

interface ComparisonOptions {
  readonly timeoutMs?: number;
  /** Also compares the views of `valuesFrom`. Default: false, because reports don't read them. */
  readonly withFilterValues?: boolean;
}

/**
 * A type is `unusable` if its view differs or the database answers with an error. It is `unknown` if the database can't be reached in time. Never
 * rejects for either.
 */
export async function findUnusableReportTypes(
  definitions: readonly ReportTypeDefinition[],
  sources: ReportSources,
  options: Pick<ComparisonOptions, "timeoutMs"> = {},
): Promise<ReportTypeUsability> {
  const { differences, unknown } = await compareReportViews(definitions, sources, options);
  const unusable = [...differences].flatMap(([type, [first, ...others]]) =>
    first === undefined ? [] : [[type, combineProblems([first, ...others])] as const],
  );
  return { unusable: new Map(unusable), unknown: new Set(unknown.keys()) };
}

export async function compareReportViews(
  definitions: readonly ReportTypeDefinition[],
  sources: ReportSources,
  options: ComparisonOptions = {},
): Promise<ReportTypeCheckResult> {
  const views = definitions.filter(isViewType);
  const checks = [...Map.groupBy(views, sourceNameOf)].map(async ([source, types]) => {
    const settings = source !== null && Object.hasOwn(sources, source) ? sources[source] : undefined;
    if (settings !== undefined)
      return checkSource(settings.url, sourceEngineProperties[settings.engine], types, options);
    const message = `The source ${source} is not configured. Add it to REPORT_SOURCES.`;
    return types.map(({ type }): Finding => [type, [{ code: "SOURCE_NOT_CONFIGURED", message }]]);
  });
  const found = new Map((await Promise.all(checks)).flat());
  const ordered = views.map(({ type }) => [type, found.get(type)!] as const);
  return {
    differences: new Map(ordered.flatMap(([type, each]) => (typeof each === "string" ? [] : [[type, each]]))),
    unknown: new Map(ordered.flatMap(([type, each]) => (typeof each === "string" ? [[type, each]] : []))),
  };
}

function isViewType(definition: ReportTypeDefinition): definition is ViewType {
  return definition.rows.kind === "view";
}

type Finding = readonly [type: string, found: readonly ReportViewProblem[] | string];

async function checkSource(
  url: string,
  engine: SourceEngineProperties,
  types: readonly ViewType[],
  { timeoutMs = defaultTimeoutMs, withFilterValues = false }: ComparisonOptions,
): Promise<readonly Finding[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const found: Finding[] = [];
  let client: Client | undefined;
  const giveUp = (): void => {
    if (client !== undefined) destroySocket(client);
  };
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    const options = {
      url,
      database: "source",
      session: { mayRefuse: engine.mayRefuse, settings: { statement_timeout: String(timeoutMs) } },
      connectTimeoutMs: timeoutMs,
      applicationName: "reports-views",
      pipeline: true,
    } as const;
    ({ client } = await connectToAnyHost(options, signal));
    signal.throwIfAborted();
    const missing = await findMissingExtension(client, engine);
    for (const type of types) {
      const problems = missing === null ? [...(await findViewProblems(client, type.rows))] : [missing];
      if (withFilterValues && missing === null) problems.push(...(await findFilterValuesProblems(client, type)));
      found.push([type.type, problems]);
    }
    return found;
  } catch (error) {
    const isUnavailable = signal.aborted || error instanceof StoreUnavailableError || isTransientSourceError(error);
    const rest = isUnavailable
      ? unreachableReason(signal.aborted ? `It did not answer within ${timeoutMs} ms` : error)
      : [toRefusedProblem(error)];
    return [...found, ...types.slice(found.length).map(({ type }): Finding => [type, rest])];
  } finally {
    signal.removeEventListener("abort", giveUp);
    giveUp();
  }
}

function unreachableReason(error: unknown): string {
  return sanitiseUntrustedText(typeof error === "string" ? error : describePostgresError(error), maxReasonLength);
}

async function findMissingExtension(
  client: Client,
  { extension }: SourceEngineProperties,
): Promise<ReportViewProblem | null> {
  if (extension === null) return null;
  const { name, version } = extension;
  const required = `${name} ${version.join(".")}`;
  const [row] = await readTextRows(client, {
    text: "select extversion from pg_extension where extname = $1",
    values: [name],
  });
  const found = row?.[0] ?? null;
  if (found === null)
    return { code: "ENGINE_MISSING", message: `The extension ${required} or newer is not installed.` };
  const [major = 0, minor = 0] = found.split(/[.-]/).map(Number);
  if (major > version[0] || (major === version[0] && minor >= version[1])) return null;
  return { code: "ENGINE_MISSING", message: `${required} or newer is needed; ${found} is installed.` };
}
