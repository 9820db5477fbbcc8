import { z } from "zod";

const filterValues = z.array(z.union([z.string(), z.number(), z.boolean()])).meta({
  id: "FilterValues",
  description:
    "Values of a filter, sorted and without duplicates. A row matches if it has any of them, or none of them if the filter excludes values.",
});

export const normalisedSearchParamSchema = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), filterValues]))
  .meta({ id: "NormalisedSearchParam", description: "Filters by name, in their normal form." });
