import type { ObjectRowsRequest, ReportTypeInput, SortKey } from "@reports/core/report-type";
import { readStock, warehouses, type Stock } from "./warehouse.js";

const isShort = { column: "onHand", below: 20 } as const;

/** Stock levels: one row per article and warehouse, from the warehouse service. */
export const stockLevelReport = {
  type: "STOCK_LEVEL",
  version: 1,
  title: "Stock levels",
  columns: [
    { key: "article", title: "Article", kind: "text", width: 20 },
    { key: "warehouse", title: "Warehouse", kind: "text", width: 12 },
    { key: "onHand", title: "On hand", kind: "integer" },
    { key: "reserved", title: "Reserved", kind: "integer" },
    { key: "unitPrice", title: "Unit price", kind: "decimal" },
    { key: "countedAt", title: "Counted", kind: "timestamp" },
    { key: "tags", title: "Tags", kind: "list" },
  ],
  filters: [
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
  ],
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
      for (const stock of await findStock(request)) yield { ...stock };
    },
    async count(request: ObjectRowsRequest) {
      return (await findStock(request)).length;
    },
  },
} as const satisfies ReportTypeInput;

/** Returns the filtered and sorted rows. For object rows, the author must filter and sort. There are few rows, so they are sorted in memory. */
async function findStock({ searchParam, sort, signal }: ObjectRowsRequest): Promise<Stock[]> {
  const warehouse = (searchParam["warehouse"] ?? warehouses) as readonly string[];
  const q = (searchParam["q"] ?? "") as string;
  const onHandTo = (searchParam["onHandTo"] ?? Infinity) as number;
  const found: Stock[] = [];
  for await (const stock of readStock({ warehouse, q }, signal)) if (stock.onHand < onHandTo) found.push(stock);
  return found.sort((a, b) => compare(a, b, sort));
}

function compare(a: Stock, b: Stock, sort: readonly SortKey[]): number {
  for (const { key, descending } of sort) {
    const [left, right] = [valueOf(a, key), valueOf(b, key)];
    if (left !== right) return (left < right ? -1 : 1) * (descending ? -1 : 1);
  }
  return 0;
}

function valueOf(stock: Stock, key: string): string | number {
  const value = stock[key as keyof Stock];
  if (key === "unitPrice") return Number(value);
  return value instanceof Date ? value.getTime() : typeof value === "number" ? value : String(value);
}
