import { filterRows, selectRows, type ObjectRowsRequest, type ReportTypeInput } from "@reports/core/report-type";
import { readStock, warehouses, type Stock } from "./warehouse.js";

const isShort = { column: "onHand", below: 20 } as const;

const columns = [
  { key: "article", title: "Article", kind: "text", width: 20 },
  { key: "warehouse", title: "Warehouse", kind: "text", width: 12 },
  { key: "onHand", title: "On hand", kind: "integer" },
  { key: "reserved", title: "Reserved", kind: "integer" },
  { key: "unitPrice", title: "Unit price", kind: "decimal" },
  { key: "countedAt", title: "Counted", kind: "timestamp" },
  { key: "tags", title: "Tags", kind: "list" },
] as const;

const filters = [
  {
    name: "warehouse",
    operator: "in",
    value: "enum",
    values: [...warehouses, "CLOSED", "MOVING"],
    columns: ["warehouse"],
    description: "Warehouses; all that are open by default.",
  },
  {
    name: "q",
    operator: "contains",
    value: "text",
    columns: ["article"],
    description: "Part of the article's name.",
  },
  {
    name: "onHandTo",
    operator: "to",
    value: "integer",
    min: 0,
    max: 1_000,
    columns: ["onHand"],
    description: "Fewer.",
  },
] as const;

/** Stock levels: one row per article and warehouse, from the warehouse service. */
export const stockLevelReport = {
  type: "STOCK_LEVEL",
  version: 1,
  title: "Stock levels",
  columns,
  filters,
  groupable: ["warehouse"],
  formats: { pdf: {}, xlsx: {}, csv: {}, json: {}, ndjson: { maxRows: 10_000 } },
  summary: {
    figures: [
      { key: "articles", title: "Articles", kind: "integer", aggregate: { kind: "count" } },
      { key: "short", title: "Short", kind: "integer", aggregate: { kind: "count", where: isShort }, tone: "bad" },
      { key: "onHand", title: "Pieces", kind: "bigint", aggregate: { kind: "sum", column: "onHand" } },
    ],
    charts: [
      {
        key: "byWarehouse",
        title: "Articles by warehouse",
        categories: { column: "warehouse", top: 10 },
        series: [
          { label: "Short", where: isShort, tone: "bad" },
          { label: "Enough", where: { column: "onHand", atLeast: 20 }, tone: "good" },
        ],
        measure: { kind: "count" },
      },
    ],
  },
  rows: {
    kind: "objects",
    async *rows(request: ObjectRowsRequest) {
      yield* selectRows(await readAll(request), { columns, filters }, request);
    },
    async count(request: ObjectRowsRequest) {
      return filterRows(await readAll(request), { columns, filters }, request).length;
    },
  },
} as const satisfies ReportTypeInput;

/** Reads the stock of the chosen warehouses. A few rows fit into memory, so core's functions filter and sort them there. */
async function readAll({ searchParam, signal }: ObjectRowsRequest): Promise<Stock[]> {
  const found: Stock[] = [];
  // The warehouse service itself filters by warehouse and article, so fewer rows are read.
  const warehouse = (searchParam["warehouse"] ?? warehouses) as readonly string[];
  const q = (searchParam["q"] ?? "") as string;
  for await (const stock of readStock({ warehouse, q }, signal)) found.push(stock);
  return found;
}
