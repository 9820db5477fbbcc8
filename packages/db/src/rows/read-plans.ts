import type { QueryPlanAccess, QueryPlanReader, ReportSourceSettings } from "@reports/core/report";
import { sql } from "drizzle-orm";
import { z } from "zod";
import {
  connectToAnyHost,
  destroySocket,
  quoteLiterals,
  readTextRows,
  replaceQueryPlaceholders,
} from "../database/pg-connection.ts";
import { requireRelationColumn } from "../relations/relation.ts";
import { sourceEngineProperties } from "./source-engine-properties.ts";
import { createReportQueryBuilder, buildRowsQuery, toBoundQuery } from "./report-query.ts";

const sampledRows = 100;

export async function openQueryPlanReader(
  { url, engine: name }: Pick<ReportSourceSettings, "url" | "engine">,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<QueryPlanReader> {
  const settings = { statement_timeout: String(timeoutMs), default_transaction_read_only: "on" };
  const { client } = await connectToAnyHost(
    {
      url,
      database: "source",
      session: { mayRefuse: sourceEngineProperties[name].mayRefuse, settings },
      connectTimeoutMs: timeoutMs,
      applicationName: "reports-plans",
      pipeline: true,
    },
    null,
  );

  const readTableRows = async (nodes: readonly PlanNode[]): Promise<ReadonlyMap<string, number>> => {
    const names = nodes.filter(isSequential).map(relationOf);
    const found = await readTextRows(
      client,
      toBoundQuery(sql`
        select n.nspname || '.' || c.relname, c.reltuples::bigint from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname || '.' || c.relname in (select json_array_elements_text(${JSON.stringify(names)}::json))`),
    );
    return new Map(found.map(([table, rows]) => [table!, Number(rows)]));
  };

  return {
    async explain(request) {
      const query = buildRowsQuery(request);
      // COPY, with which a worker reads the rows, takes no parameters. So Postgres plans with the values, as it does here.
      const text = replaceQueryPlaceholders(query, await quoteLiterals(client, query));
      const [row] = await readTextRows(client, { text: `explain (format json, verbose) ${text}`, values: [] });
      const [{ Plan }] = planSchema.parse(JSON.parse(row![0]!));
      const nodes = [...nodesOf(Plan, 1)];
      const tableRows = await readTableRows(nodes.map(({ node }) => node));
      return {
        rows: Plan["Plan Rows"],
        reads: nodes.flatMap(({ node, share }) => readOf(node, share, tableRows) ?? []),
        sortedRows: nodes.flatMap(({ node, share }) =>
          node["Node Type"] === "Sort" ? [node["Plan Rows"] * share] : [],
        ),
      };
    },
    async sampleValues(request, keys) {
      if (keys.length === 0) return new Map();
      const { relation, select } = createReportQueryBuilder(request);
      const outputs = keys.map((key) => {
        const { expression, type } = requireRelationColumn(relation, key);
        return type === "text[]" ? sql`(${expression})[1]` : expression;
      });
      const found = await readTextRows(
        client,
        toBoundQuery(sql`${select([], keys, outputs)} limit ${sampledRows}::integer`),
      );
      return new Map(
        keys.flatMap((key, index) => {
          const value = found.find((cells) => (cells[index] ?? "") !== "")?.[index];
          return value === undefined || value === null ? [] : [[key, value] as const];
        }),
      );
    },
    close: () => destroySocket(client),
  };
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Plan Rows": number;
  readonly Schema?: string | undefined;
  readonly "Relation Name"?: string | undefined;
  readonly "Index Name"?: string | undefined;
  readonly "Function Name"?: string | undefined;
  readonly "Workers Planned"?: number | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}

const nodeSchema: z.ZodType<PlanNode> = z.object({
  "Node Type": z.string(),
  "Plan Rows": z.number(),
  Schema: z.string().optional(),
  "Relation Name": z.string().optional(),
  "Index Name": z.string().optional(),
  "Function Name": z.string().optional(),
  "Workers Planned": z.number().optional(),
  get Plans() {
    return z.array(nodeSchema).optional();
  },
});
const planSchema = z.tuple([z.object({ Plan: nodeSchema })]);

/** Below a Gather node, Postgres estimates rows per process. `share` is the factor to the rows of all processes. */
function* nodesOf(node: PlanNode, share: number): Generator<{ readonly node: PlanNode; readonly share: number }> {
  yield { node, share };
  const workers = node["Workers Planned"] ?? 0;
  // The leader process counts less, the more workers it has: get_parallel_divisor in Postgres's costsize.c.
  const below = workers === 0 ? share : workers + Math.max(0, 1 - 0.3 * workers);
  for (const child of node.Plans ?? []) yield* nodesOf(child, below);
}

function isSequential(node: PlanNode): boolean {
  return node["Node Type"] === "Seq Scan" && node["Relation Name"] !== undefined;
}

function relationOf({ Schema: schema, "Relation Name": name }: PlanNode): string {
  return `${schema}.${name}`;
}

function readOf(node: PlanNode, share: number, tableRows: ReadonlyMap<string, number>): QueryPlanAccess | null {
  const rows = Math.round(node["Plan Rows"] * share);
  const { "Node Type": type, "Index Name": index, "Function Name": called, "Relation Name": name } = node;
  if (isSequential(node)) {
    const relation = relationOf(node);
    const stored = tableRows.get(relation) ?? -1;
    return { kind: "sequential-scan", relation, rows: stored < 0 ? null : stored };
  }
  if (index !== undefined) return { kind: "index", index, rows };
  // Returns null for a bitmap heap scan, which its index has already reported, and for a subquery scan, which the nodes below it report.
  if (!type.endsWith("Scan") || type === "Bitmap Heap Scan" || type === "Subquery Scan") return null;
  const of = called ?? (name === undefined ? undefined : relationOf(node));
  return { kind: "other", step: of === undefined ? type : `${type} of ${of}`, rows };
}
