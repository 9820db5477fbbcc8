import { DomainError } from "@reports/core/base";
import { problemCatalogue, type ProblemType } from "@reports/core/wire";
import { z } from "zod";
import { defineEndpoint, describeProblems, type Endpoint, type Reply } from "../endpoint/endpoint.ts";
import { openApiTags } from "../endpoint/open-api-tag.ts";
import { html, renderPage, pageContentSecurityPolicy, type Html } from "../html.ts";
import { chooseMediaType } from "../http/accept.ts";
import { createStaticText } from "../http/static-text.ts";
import { assertAcceptsMediaType } from "../endpoint/call-endpoint.ts";

const explanationMediaTypes = ["text/html", "application/json"] as const;
const explanationHeaders = {
  "Content-Security-Policy": pageContentSecurityPolicy,
  "Cache-Control": "public, max-age=3600",
};
const explanationResponses = {
  200: {
    kind: "text",
    description: "The explanation, for people or for programs.",
    mediaTypes: explanationMediaTypes,
    headers: { "Content-Security-Policy": "No scripts.", "Cache-Control": "public, max-age=3600" },
  },
} as const;

export function problemsEndpoints(deps: { readonly basePath: string }): readonly Endpoint[] {
  // The first request renders the pages, because most processes never receive one.
  let made: ReturnType<typeof encodeExplanations> | undefined;
  const explanations = () => (made ??= encodeExplanations(deps.basePath));
  return [
    defineEndpoint({
      method: "GET",
      path: "/problems",
      operationId: "listProblemTypes",
      summary: "Lists the types of problems",
      description: "Every code that a problem may have, as a page or as JSON.",
      tag: openApiTags.problems,
      access: { kind: "public" },
      produces: explanationMediaTypes,
      responses: explanationResponses,
      handle: async (input) => explanationReply(input.header("accept"), explanations().all),
    }),
    defineEndpoint({
      method: "GET",
      path: "/problems/{slug}",
      operationId: "readProblemType",
      summary: "Explains one type of problem",
      description: "The meaning and the remedy. The `type` of every problem is a URL of this endpoint.",
      tag: openApiTags.problems,
      access: { kind: "public" },
      params: z.object({
        slug: z
          .string()
          .regex(/^[a-z-]+$/)
          .meta({ description: "Code of the problem." }),
      }),
      produces: [],
      responses: {
        ...explanationResponses,
        ...describeProblems({
          404: "There is no such type of problem.",
          406: "Accept allows neither HTML nor JSON.",
        }),
      },
      async handle(input) {
        assertAcceptsMediaType(input, explanationMediaTypes);
        const encoded = explanations().each.get(input.params["slug"] ?? "");
        if (encoded !== undefined) return explanationReply(input.header("accept"), encoded);
        throw new DomainError("not-found", "problem-not-found", "There is no such type of problem. See /problems.");
      },
    }),
  ];
}

function encodeExplanations(basePath: string) {
  const entries: readonly (readonly [string, ProblemType])[] = Object.entries(problemCatalogue);
  const all = encodeExplanation(
    "Problems",
    entries.map(([code, type]) => ({ code, ...type })),
    html`<h1>Problems</h1>
      <table>
        ${entries.map(
          ([code, type]) =>
            html`<tr>
              <td>${type.status}</td>
              <td><a href="${basePath}/problems/${code}">${code}</a></td>
              <td>${type.meaning}</td>
            </tr>`,
        )}
      </table>`,
  );
  return { all, each: new Map(entries.map(([code, type]) => [code, encodeProblemType(code, type, basePath)])) };
}

function encodeProblemType(code: string, type: ProblemType, basePath: string) {
  return encodeExplanation(
    code,
    { code, ...type },
    html`<h1>${code}</h1>
      <p>Status ${type.status}</p>
      <p>${type.meaning}</p>
      <p><b>What to do:</b> ${type.remedy}</p>
      <p><a href="${basePath}/problems">All problems</a></p>`,
  );
}

function encodeExplanation(title: string, value: unknown, body: Html) {
  return { json: createStaticText(JSON.stringify(value)), page: createStaticText(renderPage(title, body)) };
}

function explanationReply(accept: string | undefined, encoded: ReturnType<typeof encodeExplanation>): Reply {
  const { outcome, ...choice } = chooseMediaType(accept, explanationMediaTypes);
  const isJson = outcome === "chosen" && "mediaType" in choice && choice.mediaType === "application/json";
  return {
    status: 200,
    headers: explanationHeaders,
    body: isJson
      ? { kind: "text", contentType: "application/json", text: encoded.json }
      : { kind: "text", contentType: "text/html; charset=utf-8", text: encoded.page },
  };
}
