import { z } from "zod";
import { defineEndpoint, problems } from "../endpoint/endpoint.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { openApiDocument } from "../openapi/openapi-document.ts";
import { isCurrent } from "./file-reply.ts";
import { jsonEtag } from "./report-type-resource.ts";

/** `GET /openapi.json`: describes the given endpoints and itself. */
export function openApiEndpoint(described: readonly Endpoint[], deps: { readonly basePath: string }): Endpoint {
  const headers = { ETag: "Changes with the document.", "Cache-Control": "public, no-cache" };
  const endpoint: Endpoint = defineEndpoint({
    method: "GET",
    path: "/openapi.json",
    operationId: "openapi",
    summary: "This description, in OpenAPI 3.1",
    access: { kind: "public" },
    headers: { "If-None-Match": "Entity tags that the caller has already." },
    produces: ["application/json"],
    responses: {
      200: { kind: "json", description: "The description.", schema: z.record(z.string(), z.unknown()), headers },
      304: { kind: "empty", description: "The description has not changed.", headers },
      ...problems({
        400: "There are no parameters, or a header is wrong.",
        406: "Accept does not allow JSON.",
        412: "If-Match names another version.",
      }),
    },
    async handle(input) {
      const replyHeaders = { ETag: etag, "Cache-Control": "public, no-cache" };
      if (isCurrent(input, { etag })) return { status: 304, headers: replyHeaders, body: { kind: "empty" } };
      return { status: 200, headers: replyHeaders, body: { kind: "json", value: document } };
    },
  });
  const document = openApiDocument([...described, endpoint], { basePath: deps.basePath, version: "1" });
  const etag = jsonEtag(document);
  return endpoint;
}
