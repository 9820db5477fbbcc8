import { DomainError } from "@reports/core/base";
import type { FilterValueLookup } from "@reports/core/report";
import { filterChoiceSchema } from "@reports/core/wire";
import { z } from "zod";
import { defineEndpoint, replyJson, describeJson, describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { isNotModified, conditionalReadProblems, conditionalReadHeaders } from "../http/precondition.ts";
import { computeJsonEtag } from "./to-report-type-resource.ts";

export function filterValuesEndpoint({ filterValues }: { readonly filterValues: FilterValueLookup }): Endpoint {
  const headers = { ETag: "Changes with the values.", "Cache-Control": "private, no-cache" };
  return defineEndpoint({
    method: "GET",
    path: "/v1/report-types/{reportType}/filters/{filter}/values",
    operationId: "listFilterValues",
    summary: "Lists the values of a filter",
    description:
      "At most 1,000 values in their order, from the data of the type. For the filters of `filterValues` in the catalogue.",
    tag: openApiTags.reportTypes,
    access: { kind: "report-type", in: "path" },
    params: z.object({
      reportType: z.string().meta({ description: "The type, spelled as in the list." }),
      filter: z.string().meta({ description: "The name of the filter." }),
    }),
    headers: conditionalReadHeaders,
    responses: {
      200: describeJson("The values.", z.array(filterChoiceSchema), headers),
      304: { kind: "empty", description: "The values have not changed.", headers },
      ...describeProblems({
        ...conditionalReadProblems,
        404: "There is no such report type, or the values of the filter do not come from data.",
        503: "The values cannot be read at the moment.",
      }),
    },
    async handle(input) {
      const { definition, signal } = input;
      const filter = definition.filters.find(({ name }) => name === input.params["filter"]);
      if (filter?.valuesFrom === undefined)
        throw new DomainError(
          "not-found",
          "filter-values-not-found",
          `${definition.type} has no such filter with values from data.`,
        );
      const value = await filterValues.list(definition, filter, signal);
      const etag = computeJsonEtag(value);
      const current = { ETag: etag, "Cache-Control": "private, no-cache" };
      if (isNotModified(input, { etag })) return { status: 304, headers: current, body: { kind: "empty" } };
      return replyJson(value, 200, current);
    },
  });
}
