import type { ReportCatalogue, ReportPreviewReader } from "@reports/core/report";
import { reportTypeSchema } from "@reports/core/wire";
import type { AuthorityLookup } from "@reports/auth";
import { z } from "zod";
import { requireReportTypeOrThrow } from "../endpoint/choose-report-type.ts";
import { defineEndpoint, describeJson, describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { conditionalReadProblems, isNotModified, conditionalReadHeaders } from "../http/precondition.ts";
import { createStaticText } from "../http/static-text.ts";
import { computeJsonEtag, toReportTypeResource } from "./to-report-type-resource.ts";

/** Defines the catalogue of report types. All callers see all types, so that they learn which authority they lack. docs/reference/resources/report-types.md#the-catalogue. */
export function reportTypesEndpoints(deps: {
  readonly catalogue: ReportCatalogue;
  readonly authorities: AuthorityLookup;
  readonly previews: Pick<ReportPreviewReader, "covers">;
  readonly basePath: string;
}): readonly Endpoint[] {
  const resources = deps.catalogue.list().map((definition) =>
    toReportTypeResource(definition, {
      authority: deps.authorities.of(definition.type) ?? "",
      preview: deps.previews.covers(definition),
      basePath: deps.basePath,
    }),
  );
  const all = encodeJson(resources);
  const each = new Map(resources.map((resource) => [resource.reportType, encodeJson(resource)]));
  const headers = { ETag: "Changes with the catalogue.", "Cache-Control": "private, no-cache" };
  const notModified = { kind: "empty", description: "The catalogue has not changed.", headers } as const;
  const failures = {
    ...conditionalReadProblems,
    503: "The users cannot be read at the moment.",
  };
  return [
    defineEndpoint({
      method: "GET",
      path: "/v1/report-types",
      operationId: "listReportTypes",
      summary: "Lists the report types",
      description: "All types, including those that the caller may not start. Each names the authority that it needs.",
      tag: openApiTags.reportTypes,
      access: { kind: "authenticated" },
      headers: conditionalReadHeaders,
      responses: {
        200: describeJson("The report types.", z.array(reportTypeSchema), headers),
        304: notModified,
        ...describeProblems(failures),
      },
      handle: async (input) => etagReply(input, all),
    }),
    defineEndpoint({
      method: "GET",
      path: "/v1/report-types/{reportType}",
      operationId: "readReportType",
      summary: "Reads one report type",
      description: "Its filters as JSON Schema, its columns, its formats with their limits.",
      tag: openApiTags.reportTypes,
      access: { kind: "authenticated" },
      params: z.object({ reportType: z.string().meta({ description: "The type, spelled as in the list." }) }),
      headers: conditionalReadHeaders,
      responses: {
        200: describeJson("The report type.", reportTypeSchema, headers),
        304: notModified,
        ...describeProblems({ ...failures, 404: "There is no such report type." }),
      },
      async handle(input) {
        const { type } = requireReportTypeOrThrow(deps.catalogue, input.params["reportType"]);
        return etagReply(input, each.get(type)!);
      },
    }),
  ];
}

function encodeJson(value: unknown) {
  return { value, etag: computeJsonEtag(value), staticJson: createStaticText(JSON.stringify(value)) };
}

function etagReply(
  input: Parameters<typeof isNotModified>[0],
  { value, etag, staticJson }: ReturnType<typeof encodeJson>,
) {
  const headers = { ETag: etag, "Cache-Control": "private, no-cache" };
  if (isNotModified(input, { etag })) return { status: 304, headers, body: { kind: "empty" } } as const;
  return { status: 200, headers, body: { kind: "json", value, staticJson } } as const;
}
