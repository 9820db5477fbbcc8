import {
  maxExactRecordCount,
  parseSortKey,
  describeAllowedNames,
  timezoneField,
  type Filter,
  type SortKey,
} from "@reports/core/query";
import { z } from "zod";

export interface ListQueryDefinition {
  readonly filters: readonly Filter[];
  readonly sortable: readonly string[];
  readonly defaultSort: readonly SortKey[];
}

export const defaultPageLimit = 50;
const maxLimit = 200;
const maxSortKeys = 5;

export function createListQueryFields({ sortable, defaultSort }: Omit<ListQueryDefinition, "filters">, name: string) {
  return {
    limit: limitField(),
    cursor: z.string().min(1).optional().meta({
      description:
        "Where the page begins, from the Link of the page before. It stands for the whole query. Parameters that are given next to it must say the same, except limit and count.",
    }),
    sort: sortField(sortable, name)
      .optional()
      .meta({
        description: `Fields to sort by, separated by commas; ${defaultSort.map(formatSortKey).join(",")} by default. Ties are broken by id, in the direction of the last field. Records without a value come last in both directions.`,
      }),
    timezone: timezoneField(
      "IANA time zone in which relative times such as today are meant; UTC by default.",
    ).optional(),
    count: z
      .literal("exact", "must be exact.")
      .optional()
      .meta({
        description: `X-Total-Count then says how many there are in all; X-Total-Count-At-Least does instead, where there are more than ${maxExactRecordCount.toLocaleString("en-US")}.`,
      }),
  };
}

export function formatSortKey({ key, descending }: SortKey): string {
  return descending ? `-${key}` : key;
}

function limitField() {
  const must = `must be a whole number from 1 to ${maxLimit}.`;
  const numberOf = (text: unknown): number => (/^\d{1,3}$/.test(String(text)) ? Number(text) : Number.NaN);
  return z
    .preprocess(numberOf, z.int(must).min(1, must).max(maxLimit, must))
    .optional()
    .meta({ description: `How many at most; ${defaultPageLimit} by default.` });
}

function sortField(sortable: readonly string[], name: string) {
  const key = z
    .enum(
      sortable.flatMap((each) => [each, `-${each}`]),
      {
        error: ({ input }) => {
          const { key: unknown } = parseSortKey(String(input));
          return `has no field ${JSON.stringify(unknown.slice(0, 60))}. ${describeAllowedNames(unknown, sortable)}`;
        },
      },
    )
    .meta({ id: `${name}Sort`, description: "A field; - in front for descending." });
  const keys = z
    .array(key)
    .min(1)
    .max(maxSortKeys)
    .refine((given) => new Set(given.map((each) => parseSortKey(each).key)).size === given.length, {
      error: "names a field twice.",
      when: () => true,
    })
    .meta({ uniqueItems: true, explode: false });
  return z.preprocess((text, context) => {
    const given = String(text).split(",");
    // The number of sort fields is checked before the fields themselves, because a query can contain thousands.
    if (given.length > maxSortKeys)
      context.addIssue(`takes at most ${maxSortKeys} fields, and ${given.length.toLocaleString("en-US")} were given.`);
    return given;
  }, keys);
}
