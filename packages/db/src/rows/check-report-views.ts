import { StoreUnavailableError, type ReportSources, type ReportTypeDefinition, type ViewRows } from "@reports/core";
import type { Client } from "pg";
import { connectToAny, destroySocket, readTexts } from "../database/pg-connection.ts";
import { mapStoreError } from "../database/store-error.ts";
import { findViewFault, refusedQuery, type ReportViewFault } from "./find-view-fault.ts";
import { reportEngines, type ReportEngine } from "./report-engines.ts";
import { sourceNameOf } from "./report-sources.ts";

/** How the views of report types compare with their databases now. */
export interface ReportViewCheck {
  /** Types whose view does not fit: each of their reports would wait for it. */
  readonly unusable: ReadonlyMap<string, ReportViewFault>;
  /** Types whose source could not be asked: nothing is known of them, and their reports are tried again. */
  readonly unknown: ReadonlySet<string>;
}

type ViewType = ReportTypeDefinition & { readonly rows: ViewRows };

const connectTimeoutMs = 5_000;
/** For each statement: looks at the catalogue, and queries that read no row. */
const statementTimeoutMs = 10_000;

/**
 * Compares the definitions whose rows come from a view with the catalogues of their databases, all sources at once. Definitions of other
 * kinds always fit. A database that is away makes its types unknown and nothing else; never rejects for it.
 */
export async function checkReportViews(
  definitions: readonly ReportTypeDefinition[],
  sources: ReportSources,
): Promise<ReportViewCheck> {
  const unusable = new Map<string, ReportViewFault>();
  const unknown = new Set<string>();
  const bySource = Map.groupBy(definitions.filter(isViewType), sourceNameOf);
  const checks = [...bySource].map(async ([source, types]) => {
    const settings = source !== null && Object.hasOwn(sources, source) ? sources[source] : undefined;
    if (settings === undefined) {
      const message = `The source ${source} is not configured. Add it to REPORT_SOURCES.`;
      for (const { type } of types) unusable.set(type, { code: "SOURCE_NOT_CONFIGURED", message });
      return;
    }
    const found = await checkSource(settings.url, reportEngines[settings.engine], types);
    for (const [type, fault] of found) {
      if (fault === "unknown") unknown.add(type);
      else unusable.set(type, fault);
    }
  });
  await Promise.all(checks);
  return { unusable, unknown };
}

function isViewType(definition: ReportTypeDefinition): definition is ViewType {
  return definition.rows.kind === "view";
}

type Finding = readonly [type: string, fault: ReportViewFault | "unknown"];

/** Only what does not fit, and what is not known. */
async function checkSource(url: string, engine: ReportEngine, types: readonly ViewType[]): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  let client: Client | undefined;
  try {
    ({ client } = await connectToAny({ url, connectTimeoutMs, applicationName: "reports-views" }, null));
    await client.query(`select set_config('statement_timeout', '${statementTimeoutMs}', false)`);
    const missing = await findMissingExtension(client, engine);
    for (const { type, rows } of types) {
      const fault = missing ?? (await findViewFault(client, rows));
      if (fault !== null) found.push([type, fault]);
    }
    return found;
  } catch (error) {
    const mapped = mapStoreError(error);
    const judged = new Set(found.map(([type]) => type));
    // Whatever has not been judged is not known, or cannot be asked for what is needed: a role may see less of a catalogue than expected.
    const rest = mapped instanceof StoreUnavailableError ? ("unknown" as const) : refusedQuery(error);
    return [...found, ...types.filter(({ type }) => !judged.has(type)).map(({ type }): Finding => [type, rest])];
  } finally {
    if (client !== undefined) destroySocket(client);
  }
}

async function findMissingExtension(client: Client, { extension }: ReportEngine): Promise<ReportViewFault | null> {
  if (extension === null) return null;
  const { name, version } = extension;
  const wanted = `${name} ${version.join(".")}`;
  const [row] = await readTexts(client, {
    text: "select extversion from pg_extension where extname = $1",
    values: [name],
  });
  const found = row?.[0] ?? null;
  if (found === null) return { code: "ENGINE_MISSING", message: `The extension ${wanted} or newer is not installed.` };
  const [major = 0, minor = 0] = found.split(/[.-]/).map(Number);
  if (major > version[0] || (major === version[0] && minor >= version[1])) return null;
  return { code: "ENGINE_MISSING", message: `${wanted} or newer is needed; ${found} is installed.` };
}
