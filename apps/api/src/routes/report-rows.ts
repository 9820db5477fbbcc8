import {
  optionChoicesOfAll,
  estimateInputFromQuery,
  estimateRefusedMessage,
  estimateReport,
  previewInputFromQuery,
  previewOptionNames,
  previewRefusedMessage,
  previewRowLimits,
  readPreview,
  refuseUnknownValues,
  startOptionDeclarations,
  type FilterValueLookup,
  type ReportCatalogue,
  type ReportPreviewReader,
} from "@reports/core/report";
import type { Clock } from "@reports/core/base";
import { reportEstimateSchema, reportRowSchema } from "@reports/core/wire";
import { z } from "zod";
import { defineEndpoint, replyJson, describeJson, describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import type { ListConcurrencyLimiter } from "../limits/list-concurrency-limiter.ts";
import type { RequestLimiter } from "../limits/request-limiter.ts";
import { searchParamQuerySchema, startQuerySchema } from "./start-schema.ts";

export interface ReportRowsDeps {
  readonly catalogue: ReportCatalogue;
  readonly previews: ReportPreviewReader;
  readonly filterValues: FilterValueLookup;
  readonly now: Clock;
  readonly previewSlots: ListConcurrencyLimiter;
  readonly previewLimiter: RequestLimiter;
}

const typeParams = z.object({ reportType: z.string().meta({ description: "The type, spelled as in the list." }) });
const sharedProblems = {
  400: "A parameter is unknown, repeated or wrong, or a filter has a value that its data lacks.",
  404: "There is no such report type.",
};

export function reportRowsEndpoints(deps: ReportRowsDeps): readonly Endpoint[] {
  return [rowsEndpoint(deps), estimatesEndpoint(deps)];
}

function rowsEndpoint(deps: ReportRowsDeps): Endpoint {
  const choices = optionChoicesOfAll(deps.catalogue.list());
  const options = previewOptionNames.map((name) => [name, startOptionDeclarations[name].given(choices).text] as const);
  const query = z.object({
    searchParam: searchParamQuerySchema,
    ...Object.fromEntries(options),
    limit: z.coerce
      .number<string>()
      .int()
      .min(1)
      .max(previewRowLimits.most)
      .meta({ description: `How many rows at most; ${previewRowLimits.byDefault} by default.` }),
  });
  return defineEndpoint({
    method: "GET",
    path: "/v1/report-types/{reportType}/rows",
    operationId: "listReportRows",
    summary: "Reads the first rows of a report without making one",
    description:
      "Each row as the json format has it, by the same filters, columns, sort and conditions. For types whose `preview` is true in the catalogue.",
    tag: openApiTags.reportTypes,
    access: { kind: "report-type", in: "path" },
    audit: { recordType: "report-type", verb: "preview" },
    params: typeParams,
    query: query.partial(),
    readQuery: ({ definition, pairs }) => previewInputFromQuery(definition, pairs, deps.now()),
    responses: {
      200: describeJson("The rows.", z.array(reportRowSchema)),
      ...describeProblems({
        ...sharedProblems,
        422: "The type has no preview, its data source does not fit it now, or its function failed.",
        503: "The preview takes too long, or the database cannot be reached.",
      }),
    },
    async handle({ definition, query: request, principal, signal }) {
      const quota = deps.previewLimiter.consume(principal.id);
      const requester = { id: principal.id, name: principal.displayName };
      const rows = await deps.previewSlots.run(principal.id, signal, async () => {
        await refuseUnknownValues(deps.filterValues, request, { readFrom: "query", failure: previewRefusedMessage });
        return readPreview(deps, { ...request, requester }, signal);
      });
      return {
        ...replyJson(rows),
        ...(quota === null ? {} : { quotas: [quota] }),
        audit: { reportType: definition.type },
      };
    },
  });
}

function estimatesEndpoint(deps: ReportRowsDeps): Endpoint {
  const { reportType: _, ...query } = startQuerySchema(deps.catalogue).shape;
  return defineEndpoint({
    method: "GET",
    path: "/v1/report-types/{reportType}/estimates",
    operationId: "listReportEstimates",
    summary: "Estimates a report, once per format",
    description: "Takes the query of a start. A value is null if it cannot be estimated.",
    tag: openApiTags.reportTypes,
    access: { kind: "report-type", in: "path" },
    params: typeParams,
    query: z.object(query),
    readQuery: ({ definition, pairs }) => estimateInputFromQuery(definition, pairs, deps.now()),
    responses: {
      200: describeJson("An estimate for each format of the type.", z.array(reportEstimateSchema)),
      ...describeProblems(sharedProblems),
    },
    async handle({ query: input, principal, signal }) {
      const value = await deps.previewSlots.run(principal.id, signal, async () => {
        await refuseUnknownValues(deps.filterValues, input, { readFrom: "query", failure: estimateRefusedMessage });
        return estimateReport(deps, input, signal);
      });
      return replyJson(value);
    },
  });
}
