import { z } from "zod";

const filterValues = z.array(z.union([z.string(), z.number(), z.boolean()])).meta({
  id: "FilterValues",
  description: "Any of these values may match; sorted, without duplicates.",
});

export const storedSearchParamSchema = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), filterValues]))
  .meta({
    id: "NormalisedSearchParam",
    description:
      "Filters by name, each in its normalised form. In searchParamGiven relative times are as they were written, in searchParam they are resolved.",
  });
