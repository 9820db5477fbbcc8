import type { AuthorityLookup } from "@reports/auth";
import type { ReportCatalogue } from "@reports/core/report";
import { problemCatalogue } from "@reports/core/wire";
import { z } from "zod";
import { renderDocsPage } from "../docs-page/docs-page.ts";
import { defineEndpoint, describeJson, describeProblems, type Endpoint } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { pageContentSecurityPolicy } from "../html.ts";
import { conditionalReadProblems, isNotModified, conditionalReadHeaders } from "../http/precondition.ts";
import { createStaticText } from "../http/static-text.ts";
import { buildOpenApiDocument } from "../openapi/openapi-document.ts";
import { moveRepeatedPartsToComponents } from "../openapi/move-repeated-parts.ts";
import { computeJsonEtag } from "./to-report-type-resource.ts";

export function openApiEndpoints(described: readonly Endpoint[], deps: DescriptionDeps): readonly Endpoint[] {
  const headers = { ETag: "Changes with the description.", "Cache-Control": "public, no-cache" };
  const own = [
    defineEndpoint({
      method: "GET",
      path: "/openapi.json",
      operationId: "openapi",
      summary: "This description, in OpenAPI 3.1",
      description:
        "Generated from the data that the routes are made from. Every path that has GET answers HEAD in the same way, without the body.",
      tag: openApiTags.description,
      access: { kind: "public" },
      headers: conditionalReadHeaders,
      responses: {
        200: describeJson("The description.", z.record(z.string(), z.unknown()), headers),
        304: { kind: "empty", description: "The description has not changed.", headers },
        ...describeProblems(conditionalReadProblems),
      },
      async handle(input) {
        const { value, etag, staticJson } = description().document;
        const replyHeaders = { ETag: etag, "Cache-Control": "public, no-cache" };
        if (isNotModified(input, { etag })) return { status: 304, headers: replyHeaders, body: { kind: "empty" } };
        return { status: 200, headers: replyHeaders, body: { kind: "json", value, staticJson } };
      },
    }),
    defineEndpoint({
      method: "GET",
      path: "/docs",
      operationId: "docs",
      summary: "This description, for people",
      description: "Credentials, the first report, report types, endpoints and problems as one page without scripts.",
      tag: openApiTags.description,
      access: { kind: "public" },
      headers: conditionalReadHeaders,
      produces: ["text/html"],
      responses: {
        200: {
          kind: "text",
          description: "The page.",
          mediaTypes: ["text/html"],
          headers: { ...headers, "Content-Security-Policy": "No scripts, nothing from elsewhere." },
        },
        304: { kind: "empty", description: "The page has not changed.", headers },
        ...describeProblems(conditionalReadProblems),
      },
      async handle(input) {
        const { etag, text } = description().page;
        const replyHeaders = { ETag: etag, "Cache-Control": "public, no-cache" };
        if (isNotModified(input, { etag })) return { status: 304, headers: replyHeaders, body: { kind: "empty" } };
        return {
          status: 200,
          headers: { ...replyHeaders, "Content-Security-Policy": pageContentSecurityPolicy },
          body: { kind: "text", contentType: "text/html; charset=utf-8", text },
        };
      },
    }),
  ];
  // The first request renders the OpenAPI document and the page. At startup, this would take most of the time until the API is ready.
  let made: RenderedDescriptions | undefined;
  const description = (): RenderedDescriptions => (made ??= renderDescriptions([...described, ...own], deps));
  return own;
}

interface DescriptionDeps {
  readonly basePath: string;
  readonly catalogue: ReportCatalogue;
  readonly authorities: AuthorityLookup;
}

type RenderedDescriptions = ReturnType<typeof renderDescriptions>;

function renderDescriptions(endpoints: readonly Endpoint[], deps: DescriptionDeps) {
  const whole = buildOpenApiDocument(endpoints, { basePath: deps.basePath, version: "1", answers: "open" });
  const document = moveRepeatedPartsToComponents(whole);
  const page = renderDocsPage({
    document: whole,
    accesses: new Map(endpoints.map(({ operationId, access }) => [operationId, access])),
    reportTypes: deps.catalogue
      .list()
      .map((definition) => ({ definition, authority: deps.authorities.of(definition.type) ?? "" })),
    problems: problemCatalogue,
    basePath: deps.basePath,
  });
  return {
    document: {
      value: document,
      etag: computeJsonEtag(document),
      staticJson: createStaticText(JSON.stringify(document)),
    },
    page: { etag: computeJsonEtag(page), text: createStaticText(page) },
  };
}
