import { drizzle } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { expect } from "vitest";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import type { ListConnectionPool } from "../database/list-connection-pool.ts";

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly PlanNode[];
}

export interface StatementCost {
  readonly otherScans: readonly string[];
  readonly rows: number;
  readonly blocks: number;
}

/** Returns a database whose reads use the owner's connection. */
export function readThrough(owner: postgres.Sql): Database & ListConnectionPool {
  const queries: Queries = drizzle(owner);
  const run = async <R>(read: (queries: Queries) => Promise<R>): Promise<R> => read(queries);
  const database: Pick<Database, "query"> & Pick<ListConnectionPool, "read"> = { query: run, read: run };
  return database as Database & ListConnectionPool;
}

export async function measureStatementCost<T>(
  owner: postgres.Sql,
  work: (database: Database & ListConnectionPool) => Promise<T>,
): Promise<{ readonly result: T; readonly cost: StatementCost }> {
  const statements: { readonly text: string; readonly values: readonly unknown[] }[] = [];
  const send = owner.unsafe;
  owner.unsafe = ((text: string, values: never[] = [], options?: object) => {
    statements.push({ text, values });
    return send(text, values, options);
  }) as typeof send;
  const result = await work(readThrough(owner)).finally(() => (owner.unsafe = send));
  expect(statements).not.toHaveLength(0);
  const roots: PlanNode[] = [];
  for (const { text, values } of statements) {
    const [row] = await owner.unsafe(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      values as postgres.ParameterOrJSON<never>[],
    );
    roots.push((row!["QUERY PLAN"] as [{ readonly Plan: PlanNode }])[0].Plan);
  }
  const reads = roots.flatMap(nodesOf).filter((node) => node["Relation Name"] !== undefined);
  return {
    result,
    cost: {
      otherScans: reads.map((node) => node["Node Type"]).filter((type) => !type.startsWith("Index")),
      rows: reads.reduce(
        (sum, node) => sum + (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
        0,
      ),
      blocks: roots.reduce((sum, root) => sum + root["Shared Hit Blocks"] + root["Shared Read Blocks"], 0),
    },
  };
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
