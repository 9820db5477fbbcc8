import {
  sourceNameOf,
  type ReportSources,
  type ReportTypeDefinition,
  type TypeComparison,
  type TypeProblem,
  type ViewRows,
} from "@reports/core/report";
import { StoreUnavailableError } from "@reports/core/base";
import type { Client } from "pg";
import { connectToAny, destroySocket, readTexts } from "../database/pg-connection.ts";
import { isTransient } from "../database/store-error.ts";
import { findViewProblem, refusedProblem, type ReportViewProblem } from "./find-view-problem.ts";
import { reportEngines, type ReportEngine } from "./report-engines.ts";

type ViewType = ReportTypeDefinition & { readonly rows: ViewRows };

/** Time limit per source. All sources are checked concurrently. */
const defaultTimeoutMs = 8_000;

/** Compares report types over views with the catalogs of their databases. Types are unknown if their database does not answer in time, and unusable if it answers with an error. Never rejects for either. */
export async function checkReportViews(
  definitions: readonly ReportTypeDefinition[],
  sources: ReportSources,
  { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<TypeComparison> {
  const unusable = new Map<string, TypeProblem>();
  const unknown = new Set<string>();
  const bySource = Map.groupBy(definitions.filter(isViewType), sourceNameOf);
  const checks = [...bySource].map(async ([source, types]) => {
    const settings = source !== null && Object.hasOwn(sources, source) ? sources[source] : undefined;
    if (settings === undefined) {
      const message = `The source ${source} is not configured. Add it to REPORT_SOURCES.`;
      for (const { type } of types) unusable.set(type, { code: "SOURCE_NOT_CONFIGURED", message });
      return;
    }
    const found = await checkSource(settings.url, reportEngines[settings.engine], types, timeoutMs);
    for (const [type, problem] of found) {
      if (problem === "unknown") unknown.add(type);
      else unusable.set(type, problem);
    }
  });
  await Promise.all(checks);
  return { unusable, unknown };
}

function isViewType(definition: ReportTypeDefinition): definition is ViewType {
  return definition.rows.kind === "view";
}

type Finding = readonly [type: string, problem: ReportViewProblem | "unknown"];

/** Returns the types that do not fit and those that are unknown. */
async function checkSource(
  url: string,
  engine: ReportEngine,
  types: readonly ViewType[],
  timeoutMs: number,
): Promise<readonly Finding[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const found: Finding[] = [];
  let checkedCount = 0;
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
    ({ client } = await connectToAny(options, signal));
    signal.throwIfAborted();
    const missing = await findMissingExtension(client, engine);
    for (const { type, rows } of types) {
      const problem = missing ?? (await findViewProblem(client, rows));
      if (problem !== null) found.push([type, problem]);
      checkedCount++;
    }
    return found;
  } catch (error) {
    const isUnavailable = signal.aborted || error instanceof StoreUnavailableError || isTransient(error);
    // If the server refuses the connection, there is no catalog to compare.
    const rest = isUnavailable ? ("unknown" as const) : refusedProblem(error);
    return [...found, ...types.slice(checkedCount).map(({ type }): Finding => [type, rest])];
  } finally {
    signal.removeEventListener("abort", giveUp);
    giveUp();
  }
}

async function findMissingExtension(client: Client, { extension }: ReportEngine): Promise<ReportViewProblem | null> {
  if (extension === null) return null;
  const { name, version } = extension;
  const required = `${name} ${version.join(".")}`;
  const [row] = await readTexts(client, {
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
