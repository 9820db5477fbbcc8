import type { ReadFilterValues } from "@reports/core/report";
import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Queries } from "../database/queries.ts";
import { bindNullParameter, createViewRelation } from "../relations/view-relation.ts";

const maxTitleLength = 120;
const defaultMaxLength = 255;
const choicesSchema = z.array(z.strictObject({ value: z.string(), title: z.string() }));

/** Returns distinct values in order, each with its first title. Omits values that no request may contain: empty ones and too long ones. */
export async function readFilterValuesFromView(
  queries: Queries,
  { valuesFrom, maxLength = defaultMaxLength, limit }: Parameters<ReadFilterValues>[0],
): Promise<Awaited<ReturnType<ReadFilterValues>>> {
  const { view, column, title = column } = valuesFrom;
  const columns = { value: { column, type: "text" }, title: { column: title, type: "text" } } as const;
  const { from, columns: made } = createViewRelation({ kind: "view", view, id: column, columns }, bindNullParameter);
  const [value, words] = [made["value"]!.expression, made["title"]!.expression];
  const [row] = await queries.execute(sql`
    select coalesce(json_agg(json_build_object('value', value, 'title', title)), '[]')::text as choices from (
      select ${value} as value, left(coalesce(min(${words}), ${value}), ${maxTitleLength}) as title
      from ${from} where length(${value}) between 1 and ${maxLength}
      group by 1 order by 1 limit ${limit}) choices`);
  return choicesSchema.parse(JSON.parse(String(row!["choices"])));
}
