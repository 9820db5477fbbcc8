import { problemSchema } from "@reports/core/wire";
import type { z } from "zod";
import { buildOpenApiWebhooks } from "./webhook-payloads.ts";
import type { Endpoint, ResponseSpec } from "../endpoint/endpoint.ts";
import { findOpenApiRecordLinks } from "./created-links.ts";
import {
  headerSchemaOf,
  headersOfAllResponses,
  headersOfRateLimitedResponses,
  headersOfStatus,
} from "./header-schemas.ts";
import { toJsonSchema, type OpenApiComponents, type SchemaDirection } from "./json-schema.ts";

export interface OpenApiDocumentOptions {
  readonly basePath: string;
  readonly version: string;
  /** `closed` is for tests: with it, the schemas of responses forbid unknown fields. */
  readonly answers: "open" | "closed";
}

interface Context {
  readonly components: OpenApiComponents;
  readonly answers: SchemaDirection;
}

export function buildOpenApiDocument(
  endpoints: readonly Endpoint[],
  options: OpenApiDocumentOptions,
): Record<string, unknown> {
  const context: Context = { components: {}, answers: options.answers === "open" ? "output" : "closed-output" };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = toOperation(endpoint, endpoints, context);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Report Gateway",
      version: options.version,
      description:
        "An inventory of proxies and their domains, and reports that are made asynchronously. Every path that has GET supports HEAD, and every path supports OPTIONS. Responses may gain fields. Bodies with unknown fields are refused.",
    },
    servers: [{ url: options.basePath === "" ? "/" : options.basePath, description: "This instance." }],
    tags: [...new Map(endpoints.map(({ tag }) => [tag.name, tag])).values()],
    security: [{ bearer: [] }, { basic: [] }],
    paths,
    ...("/v1/webhooks" in paths ? { webhooks: buildOpenApiWebhooks(context.components) } : {}),
    components: {
      schemas: context.components,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "A token of the issuer, or of /v1/tokens.",
        },
        basic: { type: "http", scheme: "basic", description: "Name and password of a user." },
      },
    },
  };
}

function toOperation(endpoint: Endpoint, endpoints: readonly Endpoint[], context: Context): Record<string, unknown> {
  const { body, access } = endpoint;
  const links = findOpenApiRecordLinks(endpoint, endpoints);
  const isLimited = endpoint.responses[429] !== undefined;
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: endpoint.description,
    tags: [endpoint.tag.name],
    ...(access.kind === "public" ? { security: [] } : {}),
    ...(access.kind === "password" ? { security: [{ basic: [] }] } : {}),
    parameters: toParameters(endpoint, context),
    ...(body === undefined ? {} : { requestBody: toRequestBody(body, context) }),
    responses: Object.fromEntries([
      ...Object.entries(endpoint.responses).map(([status, spec]) => {
        const described = toResponse(Number(status), spec, context, isLimited);
        return [status, status.startsWith("2") && links !== undefined ? { ...described, links } : described] as const;
      }),
      [
        "default",
        toResponse(500, { kind: "problem", description: "Something went wrong." }, context, isLimited),
      ] as const,
    ]),
  };
}

function toRequestBody(
  { mediaTypes, schema, example, isOptional }: NonNullable<Endpoint["body"]>,
  { components }: Context,
) {
  const described = {
    schema: toJsonSchema(schema, "input", components),
    ...(example === undefined ? {} : { example }),
  };
  return {
    required: isOptional !== true,
    content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, described])),
  };
}

function toParameters(endpoint: Endpoint, { components }: Context): readonly unknown[] {
  const described = (place: "path" | "query", schema: z.ZodObject | undefined) =>
    Object.entries((schema?.shape ?? {}) as Record<string, z.ZodType>).map(([name, field]) => {
      const { description, explode, ...rest } = toJsonSchema(field, "input", components) as Record<string, unknown>;
      const required = place === "path" || !field.safeParse(undefined).success;
      return {
        name,
        in: place,
        required,
        ...(description === undefined ? {} : { description }),
        ...(explode === undefined ? {} : { style: "form", explode }),
        schema: rest,
      };
    });
  const headers = Object.entries(endpoint.headers ?? {}).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: headerSchemaOf(name),
  }));
  return [...described("path", endpoint.params), ...described("query", endpoint.query), ...headers];
}

function toResponse(status: number, spec: ResponseSpec, context: Context, isLimited: boolean): Record<string, unknown> {
  const headers = Object.entries({
    ...headersOfAllResponses,
    ...(isLimited ? headersOfRateLimitedResponses : {}),
    ...headersOfStatus[status],
    ...spec.headers,
  });
  const content = toContent(spec, context);
  return {
    description: spec.description,
    headers: Object.fromEntries(
      headers.map(([name, description]) => [name, { description, schema: headerSchemaOf(name) }]),
    ),
    ...(content === undefined ? {} : { content }),
  };
}

function toContent(spec: ResponseSpec, { components, answers }: Context): Record<string, unknown> | undefined {
  switch (spec.kind) {
    case "json":
      return {
        "application/json": { schema: toJsonSchema(spec.schema, answers, components) },
        ...(spec.streams === true ? { "text/event-stream": { schema: { type: "string" } } } : {}),
      };
    case "problem":
      return { "application/problem+json": { schema: toJsonSchema(problemSchema, answers, components) } };
    case "bytes":
      // `format: binary` comes from OpenAPI 3.0, but code generators for 3.1 understand it as a file too.
      return toTypedContent(spec.mediaTypes, () => ({ type: "string", format: "binary" }));
    case "text":
      return toTypedContent(spec.mediaTypes, (mediaType) => (mediaType.endsWith("json") ? {} : { type: "string" }));
    case "empty":
      return undefined;
  }
}

function toTypedContent(mediaTypes: readonly string[], schemaOf: (mediaType: string) => object) {
  return Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: schemaOf(mediaType) }]));
}
