import type { ReportTypeDefinition } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import postgres, { type Sql } from "postgres";

export const conformanceRowsSql = `
  select n::bigint as id,
    case n % 10 when 0 then '' when 1 then 'a "quoted", text' when 2 then E'line\\nbreak' when 3 then 'Žluť ☂'
      else 'row-' || lpad(n::text, 4, '0') end as label,
    (array['OPEN', 'PAID', 'VOID'])[1 + n % 3] as state,
    (array[2, 3, 1])[1 + n % 3] as state_rank,
    case when n % 2 = 0 then array['even', 'a,"b"\\'] else '{}'::text[] end as tags,
    case when n % 7 > 0 then (n - 200)::integer end as places,
    case when n % 7 > 0 then n * 9007199254740993 end as bytes,
    case when n % 7 > 0 then (n * 1.0625)::numeric(20, 4) end as amount,
    case when n % 7 > 0 then n % 4 = 0 end as paid,
    case when n % 7 > 0 then timestamptz '2026-03-29 00:30:00.25+00' + n * interval '1 hour' end as paid_at,
    case when n % 7 > 0 then date '2026-02-27' + n end as due,
    case when n % 7 > 0 then ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid end as reference,
    case when n % 20 = 0 then timestamptz '2026-01-01 00:00:00+00' end as deleted_at
  from generate_series(1, 400) as n`;

const conformanceInput = {
  type: "CONFORMANCE",
  version: 1,
  title: "Conformance",
  columns: [
    { key: "label", title: "Label", kind: "text" },
    { key: "state", title: "State", kind: "text" },
    { key: "tags", title: "Tags", kind: "list" },
    { key: "places", title: "Places", kind: "integer" },
    { key: "bytes", title: "Bytes", kind: "bigint" },
    { key: "amount", title: "Amount", kind: "decimal" },
    { key: "paid", title: "Paid", kind: "boolean" },
    { key: "paidAt", title: "Paid at", kind: "timestamp" },
    { key: "due", title: "Due", kind: "date" },
    { key: "reference", title: "Reference", kind: "text" },
  ],
  filters: [
    {
      name: "state",
      operator: "in",
      value: "enum",
      values: ["OPEN", "PAID", "VOID"],
      columns: ["state"],
      description: "",
    },
    { name: "q", operator: "contains", value: "text", columns: ["label"], description: "" },
    { name: "tag", operator: "has", value: "text", columns: ["tags"], description: "" },
    { name: "paid", operator: "in", value: "boolean", columns: ["paid"], description: "" },
    { name: "places", operator: "in", value: "integer", columns: ["places"], description: "" },
    { name: "reference", operator: "in", value: "uuid", columns: ["reference"], description: "" },
    { name: "paidFrom", operator: "from", value: "timestamp", columns: ["paidAt"], description: "" },
    { name: "dueTo", operator: "to", value: "timestamp", columns: ["due"], description: "" },
    { name: "dayFrom", operator: "from", value: "date", columns: ["due"], description: "" },
    { name: "day", operator: "in", value: "date", columns: ["due"], description: "" },
    { name: "amountTo", operator: "to", value: "decimal", columns: ["amount"], description: "" },
    { name: "placesFrom", operator: "from", value: "decimal", columns: ["places"], description: "" },
    { name: "placesNot", operator: "notIn", value: "integer", columns: ["places"], description: "" },
    { name: "stateNot", operator: "notIn", value: "text", columns: ["state"], description: "" },
    { name: "dueEmpty", operator: "empty", value: "boolean", columns: ["due"], description: "" },
    { name: "tagsEmpty", operator: "empty", value: "boolean", columns: ["tags"], description: "" },
  ],
  where: [
    { column: "state", in: ["OPEN", "PAID", "VOID"] },
    { column: "number", atLeast: 3, below: 399 },
  ],
  groupable: ["state"],
  defaultSort: [{ key: "state" }, { key: "places", descending: true }],
  summary: {
    figures: [
      { key: "rows", title: "Rows", kind: "integer", aggregate: { kind: "count" } },
      {
        key: "open",
        title: "Open",
        kind: "integer",
        aggregate: { kind: "count", where: { column: "state", in: ["OPEN"] } },
      },
      { key: "amount", title: "Amount", kind: "decimal", aggregate: { kind: "sum", column: "amount" } },
    ],
    charts: [
      { key: "states", title: "States", categories: { column: "state", top: 2 }, measure: { kind: "count" } },
      { key: "tags", title: "Tags", categories: { column: "tags", top: 5 }, measure: { kind: "count" } },
    ],
    attention: {
      title: "Far below",
      where: { column: "places", below: -190 },
      columns: ["state", "places"],
      sort: [{ key: "places", descending: false }],
      limit: 3,
    },
  },
  rows: {
    kind: "view",
    view: "report_source_test.conformance",
    id: "id",
    columns: {
      number: { column: "id", type: "bigint", nullable: false },
      label: { column: "label", type: "text" },
      state: { column: "state", type: "text", rankedBy: "state_rank" },
      tags: { column: "tags", type: "text[]" },
      places: { column: "places", type: "integer" },
      bytes: { column: "bytes", type: "bigint" },
      amount: { column: "amount", type: "numeric" },
      paid: { column: "paid", type: "boolean" },
      paidAt: { column: "paid_at", type: "timestamptz" },
      due: { column: "due", type: "date" },
      reference: { column: "reference", type: "uuid" },
    },
    living: { column: "deleted_at", isNull: true },
  },
} as const;

export const conformanceType: ReportTypeDefinition = defineReportTypes([
  { definition: conformanceInput, authority: "CONFORMANCE" },
]).reportTypes[0]!.definition;

/** The expected rows of the report, as SQL that shares no code with the product. Tests append conditions and an order. */
export const expectedConformanceRowsSql = `select label, state, tags, places, bytes, amount, paid, paid_at, due, reference
  from (${conformanceRowsSql}) expected where deleted_at is null and id >= 3 and id < 399`;

export async function createConformanceTable(client: Sql, engine: string): Promise<void> {
  const [found] = await client`select to_regclass('report_source_test.conformance') is not null as made`;
  if (found!["made"] === true) return;
  await client.unsafe("create schema if not exists report_source_test");
  await client.unsafe(`create table report_source_test.conformance as ${conformanceRowsSql}`);
  if (engine === "citus")
    await client.unsafe("select create_distributed_table('report_source_test.conformance', 'id')");
}

export const shardTableStatements = ["id < 200", "id >= 200"].map(
  (half) => `create table conformance as select * from (${conformanceRowsSql}) made where ${half}`,
);

export async function createShardedConformanceTable(client: Sql): Promise<void> {
  await client.unsafe(`
    create schema report_source_test;
    create table report_source_test.shape as ${conformanceRowsSql} with no data;
    create table report_source_test.conformance (like report_source_test.shape) partition by range (id);
    create foreign table report_source_test.lower partition of report_source_test.conformance
      for values from (minvalue) to (200) server shard_1 options (schema_name 'public', table_name 'conformance');
    create foreign table report_source_test.upper partition of report_source_test.conformance
      for values from (200) to (maxvalue) server shard_2 options (schema_name 'public', table_name 'conformance');`);
}

export async function readCopyText(url: string, query: string): Promise<string> {
  const client = postgres(url, { max: 1, onnotice: () => undefined, connection: { TimeZone: "UTC" } });
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of await client.unsafe(`copy (${query}) to stdout (format csv)`).readable())
      chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  } finally {
    await client.end();
  }
}
