import { createServer } from "node:http";
import Koa from "koa";
import postgres from "postgres";

export interface BareRoute {
  readonly path: string;
  readonly text: string;
  readonly values: readonly string[];
  readonly fields: readonly string[];
  /** Columns of the types bigint or numeric. postgres.js returns their values as strings, because a JavaScript number cannot hold all of them. */
  readonly numbers: readonly string[];
  /** Maximum records of the response. Null if the route returns one record instead of a list. */
  readonly limit: number | null;
}

/**
 * A minimal server with which the API is compared: Koa, postgres.js, prepared statements and JSON. It has no authentication, limits, request IDs,
 * logs or metrics.
 */
const [databaseUrl = "", port = "", routesText = "[]"] = process.argv.slice(2);
const routes = new Map((JSON.parse(routesText) as BareRoute[]).map((route) => [route.path, route]));
const sql = postgres(databaseUrl, { max: 10 });
// With these options, `unsafe` sends a prepared statement, as the tagged templates of the API do.
const preparedOption: { readonly prepare: true; readonly simple: false } = { prepare: true, simple: false };
const app = new Koa();
app.use(async (ctx) => {
  const route = routes.get(ctx.path);
  if (route === undefined) return;
  // oxlint-disable-next-line no-restricted-properties -- the text is the service's own, and values are bound
  const rows = await sql.unsafe(route.text, [...route.values], preparedOption);
  const records = rows.slice(0, route.limit ?? 1).map((row) => {
    const record: Record<string, unknown> = {};
    for (const field of route.fields) record[field] = row[field];
    for (const field of route.numbers) if (record[field] !== null) record[field] = Number(record[field]);
    return record;
  });
  ctx.type = "application/json";
  ctx.body = JSON.stringify(route.limit === null ? records[0] : records);
});
const handleRequest = app.callback();
createServer((request, response) => void handleRequest(request, response)).listen(Number(port), "127.0.0.1", () =>
  console.log("listening"),
);
