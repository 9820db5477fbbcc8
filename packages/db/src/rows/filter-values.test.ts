import type { Filter, FilterValue, SearchParam } from "@reports/core/query";
import type { ViewRows } from "@reports/core/report";
import { defineReportTypes, type FilterOperator, type FilterValueKind } from "@reports/core/report-type";
import { createTestDatabases } from "@reports/testing";
import { sql } from "drizzle-orm";
import postgres, { type Sql } from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compileFilters } from "../relations/compile-filters.ts";
import { bindNullParameter, createViewRelation } from "../relations/view-relation.ts";
import { hostileTexts } from "./hostile-texts.fixture.ts";
import { toBoundQuery } from "./report-query.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });

const filterOf = (operator: FilterOperator, value: FilterValueKind, ...columns: string[]): Filter => ({
  name: `${columns.join("Or")}${operator}`.replaceAll(/[^A-Za-z]/g, ""),
  operator,
  value,
  columns,
  description: "Any.",
});
const filters: readonly Filter[] = [
  ...(["from", "to", "in", "notIn"] as const).flatMap((operator) => [
    filterOf(operator, "decimal", "cost"),
    filterOf(operator, "decimal", "pieces"),
    filterOf(operator, "decimal", "big"),
    filterOf(operator, "date", "due"),
  ]),
  filterOf("notIn", "text", "owner"),
  filterOf("notIn", "text", "owner", "deputy"),
  filterOf("notIn", "uuid", "reference"),
  ...(["in", "notIn", "from", "to"] as const).map((operator) => filterOf(operator, "integer", "count")),
  ...["owner", "cost", "due", "reference", "marks", "paid"].map((key) => filterOf("empty", "boolean", key)),
];
const rows: ViewRows = {
  kind: "view",
  view: "orders",
  id: "id",
  columns: {
    owner: { column: "owner", type: "text" },
    deputy: { column: "deputy", type: "text" },
    cost: { column: "cost", type: "numeric" },
    pieces: { column: "pieces", type: "integer" },
    count: { column: "pieces", type: "integer" },
    big: { column: "big", type: "bigint" },
    due: { column: "due", type: "date" },
    reference: { column: "reference", type: "uuid" },
    marks: { column: "marks", type: "text[]" },
    paid: { column: "paid", type: "boolean" },
  },
};
const relation = createViewRelation(rows, bindNullParameter);
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let client: Sql;

beforeAll(async () => {
  database = await cloneDatabase();
  client = postgres(database.url, { max: 1, onnotice: () => undefined });
  await client.unsafe(`
    create table orders (id integer, owner text, deputy text, cost numeric, pieces integer, big bigint, due date,
      reference uuid, marks text[], paid boolean);
    insert into orders values
      (1, 'ann', 'bob', 10.5, 10, 9007199254740993, '2026-01-31', '${uuid(1)}', '{new}', true),
      (2, 'bob', null, 10.50000000000000000001, 11, 9007199254740992, '2026-02-01', '${uuid(2)}', '{}', false),
      (3, '', 'ann', -0.1, -1, -1, '-infinity', '${uuid(3)}', '{"a,b",old}', null),
      (4, null, null, null, null, null, null, null, null, null),
      (5, 'null', null, 'NaN', 0, 0, 'infinity', '${uuid(5)}', '{null}', true);`);
});
afterAll(async () => {
  await client.end();
  await database[Symbol.asyncDispose]();
});

async function find(searchParam: SearchParam, timezone = "UTC"): Promise<readonly number[]> {
  const where = compileFilters(relation, filters, searchParam, { timezone });
  const { text, values } = toBoundQuery(sql`select id from ${relation.from} where ${where} order by id`);
  return (await client.unsafe(text, [...values])).map((row) => row["id"] as number);
}

test.each<[SearchParam, readonly number[]]>([
  [{ costfrom: "10.5" }, [1, 2, 5]],
  [{ costfrom: "10.50000000000000000001" }, [2, 5]],
  [{ costto: "10.5" }, [3]],
  [{ costin: ["-0.1", "10.5"] }, [1, 3]],
  [{ costnotIn: ["10.5"] }, [2, 3, 4, 5]],
  [{ piecesfrom: "10.5" }, [2]],
  [{ piecesto: "999999999999999999999999999999" }, [1, 2, 3, 5]],
  [{ bigfrom: "9007199254740993" }, [1]],
  [{ duein: ["2026-01-31"] }, [1]],
  [{ duefrom: "2026-01-31", dueto: "2026-02-01" }, [1]],
  [{ duenotIn: ["2026-01-31", "2026-02-01"] }, [3, 4, 5]],
  [{ ownernotIn: ["ann", "bob"] }, [3, 4, 5]],
  [{ ownernotIn: ["null"] }, [1, 2, 3, 4]],
  [{ ownerOrdeputynotIn: ["ann"] }, [2, 4, 5]],
  [{ referencenotIn: [uuid(1)] }, [2, 3, 4, 5]],
  [{ countnotIn: [10, 11] }, [3, 4, 5]],
  [{ countfrom: 9_007_199_254_740_991 }, []],
  [{ countto: 9_007_199_254_740_991 }, [1, 2, 3, 5]],
  [{ countin: [-9_007_199_254_740_991, 11] }, [2]],
  [{ ownerempty: true }, [4]],
  [{ ownerempty: false }, [1, 2, 3, 5]],
  [{ dueempty: true }, [4]],
  [{ referenceempty: true }, [4]],
  [{ costempty: false }, [1, 2, 3, 5]],
  [{ marksempty: true }, [2, 4]],
  [{ marksempty: false }, [1, 3, 5]],
  [{ paidempty: true }, [3, 4]],
  [{ paidempty: true, ownerempty: false }, [3]],
])("the filters %j select exactly the rows %j", async (searchParam, expected) => {
  expect(await find(searchParam)).toEqual(expected);
});

test("filter values are sent as parameters and never run as SQL, even unvalidated", async () => {
  const attacks = [...hostileTexts, "1); drop table orders; --", "1 or true", "true", "\u202e", "9".repeat(200_000)];
  const isList = ({ operator }: Filter): boolean => operator === "in" || operator === "notIn";
  for (const filter of filters.filter(({ operator }) => operator !== "empty")) {
    const takesTexts = filter.value === "text";
    for (const attack of attacks) {
      const value: FilterValue | readonly FilterValue[] = isList(filter) ? [attack] : attack;
      const found = await find({ [filter.name]: value }).catch((error: unknown) => {
        const { code } = error as { readonly code: string };
        if (["22P02", "22007", "22008", "22003"].includes(code)) return [];
        throw error;
      });
      const expected = takesTexts ? (attack === "null" ? 4 : 5) : 0;
      expect([filter.name, attack, found.length]).toEqual([filter.name, attack, expected]);
    }
  }
  for (const filter of filters.filter(({ operator }) => operator === "empty"))
    for (const attack of attacks) expect((await find({ [filter.name]: attack })).length).toBeLessThan(6);
  expect(await find({})).toHaveLength(5);
});

test("defineReportTypes accepts filters on days, decimals, exclusions and empty values", () => {
  const definition = {
    type: "ORDERS",
    version: 1,
    title: "Orders",
    columns: [{ key: "owner", title: "Owner", kind: "text" }],
    filters,
    rows,
  } as const;
  expect(defineReportTypes([{ definition, authority: "ORDERS" }]).reportTypes[0]!.definition.filters).toHaveLength(
    filters.length,
  );
});
