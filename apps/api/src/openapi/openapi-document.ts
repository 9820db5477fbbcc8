import { z } from "zod";
import type { Endpoint, ResponseSpec } from "../endpoint/endpoint.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import type { Components } from "./json-schema.ts";

const issueSchema = z.strictObject({
  parameter: z.string().optional(),
  pointer: z.string().optional(),
  header: z.string().optional(),
  code: z.string(),
  message: z.string(),
});

/** Every problem's body. RFC 9457, docs/contract.md §7.1. */
export const problemSchema = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int().min(400).max(599),
    code: z.string(),
    detail: z.string(),
    instance: z.string(),
    requestId: z.string(),
    errors: z.array(issueSchema),
  })
  .meta({ id: "Problem" });

/** Headers that come with a status whatever the endpoint. */
const headersOfStatus: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { "WWW-Authenticate": "Both schemes." },
  416: { "Content-Range": "How many bytes there are." },
  429: {
    "Retry-After": "Seconds to wait.",
    RateLimit: "What is left of the limit that is reached.",
    "RateLimit-Policy": "The limit that is reached.",
  },
  503: { "Retry-After": "Seconds to wait." },
};

/** `*`, or a list of entity tags. RFC 9110 §8.8.3. */
const entityTags = { pattern: String.raw`^(\*|(W/)?"[!#-~]*"(, (W/)?"[!#-~]*")*)$`, examples: ['"r1"', "*"] };
/** What the values of request headers look like, beyond being text. */
const headerSchemas: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "If-Match": entityTags,
  "If-None-Match": entityTags,
  "Idempotency-Key": {
    pattern: "^[A-Za-z0-9._~:/+=-]+$",
    minLength: 1,
    maxLength: 255,
    examples: ["8e03978e-40d5-43e8-bc93-6894a57f9324"],
  },
};

/** OpenAPI 3.1 of all endpoints: made of the same data as the routes. */
export function openApiDocument(
  endpoints: readonly Endpoint[],
  info: { readonly basePath: string; readonly version: string },
): Record<string, unknown> {
  const components: Components = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    const described = operation(endpoint, endpoint.operationId, components);
    if (endpoint.method === "POST") addLinks(described, endpoint, endpoints);
    path[endpoint.method.toLowerCase()] = described;
    if (endpoint.method === "GET") path["head"] = headOperation(endpoint, components);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Report Gateway",
      version: info.version,
      description: "A register of proxies and their domains, and reports that are drawn from it asynchronously.",
    },
    servers: [{ url: info.basePath === "" ? "/" : info.basePath }],
    security: [{ bearer: [] }, { basic: [] }],
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
        basic: { type: "http", scheme: "basic" },
      },
    },
  };
}

function operation(endpoint: Endpoint, operationId: string, components: Components): Record<string, unknown> {
  const { body } = endpoint;
  return {
    operationId,
    summary: endpoint.summary,
    tags: [endpoint.path.split("/").find((segment) => segment !== "" && segment !== "v1") ?? "other"],
    ...(endpoint.access.kind === "public" ? { security: [] } : {}),
    ...(endpoint.access.kind === "password" ? { security: [{ basic: [] }] } : {}),
    parameters: parameters(endpoint, components),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              body.mediaTypes.map((mediaType) => [
                mediaType,
                {
                  schema: jsonSchemaOf(body.schema, "input", components),
                  ...(body.example === undefined ? {} : { example: body.example }),
                },
              ]),
            ),
          },
        }),
    responses: Object.fromEntries([
      ...Object.entries(endpoint.responses).map(
        ([status, spec]) => [status, response(Number(status), spec, components)] as const,
      ),
      ["default", response(500, { kind: "problem", description: "Something went wrong." }, components)] as const,
    ]),
  };
}

/** What can be done next with a record that was created: its id leads to every operation on it. */
function addLinks(described: Record<string, unknown>, created: Endpoint, endpoints: readonly Endpoint[]): void {
  const next = endpoints.filter(
    ({ path }) => /^\{\w+\}$/.test(path.slice(created.path.length + 1)) && path.startsWith(`${created.path}/`),
  );
  if (next.length === 0) return;
  const kept = namesIn(created.path).map((name) => [name, `$request.path.${name}`] as const);
  const links = next.map((endpoint) => {
    const own = namesIn(endpoint.path).at(-1)!;
    return [
      endpoint.operationId,
      { operationId: endpoint.operationId, parameters: { ...Object.fromEntries(kept), [own]: "$response.body#/id" } },
    ] as const;
  });
  const responses = described["responses"] as Record<string, Record<string, unknown>>;
  for (const [status, response] of Object.entries(responses)) {
    if (status.startsWith("2")) response["links"] = Object.fromEntries(links);
  }
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

/** HEAD: the same without any body. RFC 9110 §9.3.2. */
function headOperation(endpoint: Endpoint, components: Components): Record<string, unknown> {
  const get = operation(endpoint, `${endpoint.operationId}Head`, components);
  const responses = get["responses"] as Record<string, Record<string, unknown>>;
  const bodiless = Object.entries(responses).map(([status, spec]) => [status, withoutContent(spec)] as const);
  return { ...get, responses: Object.fromEntries(bodiless) };
}

function parameters(endpoint: Endpoint, components: Components): readonly unknown[] {
  const described = (place: "path" | "query", schema: z.ZodObject | undefined) =>
    Object.entries((schema?.shape ?? {}) as Record<string, z.ZodType>).map(([name, field]) => {
      const { description, ...rest } = jsonSchemaOf(field, "input", components) as Record<string, unknown>;
      const required = place === "path" || !field.safeParse(undefined).success;
      return { name, in: place, required, ...(description === undefined ? {} : { description }), schema: rest };
    });
  const headers = Object.entries(endpoint.headers ?? {}).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string", ...headerSchemas[name] },
  }));
  return [...described("path", endpoint.params), ...described("query", endpoint.query), ...headers];
}

function response(status: number, spec: ResponseSpec, components: Components): Record<string, unknown> {
  const headers = Object.entries({
    "X-Request-Id": "Names this request in the logs.",
    ...headersOfStatus[status],
    ...spec.headers,
  });
  const content = contentOf(spec, components);
  return {
    description: spec.description,
    headers: Object.fromEntries(
      headers.map(([name, description]) => [name, { description, schema: { type: "string" } }]),
    ),
    ...(content === undefined ? {} : { content }),
  };
}

function contentOf(spec: ResponseSpec, components: Components): Record<string, unknown> | undefined {
  switch (spec.kind) {
    case "json":
      return {
        "application/json": { schema: jsonSchemaOf(spec.schema, "output", components) },
        ...(spec.streams === true ? { "text/event-stream": { schema: { type: "string" } } } : {}),
      };
    case "problem":
      return { "application/problem+json": { schema: jsonSchemaOf(problemSchema, "output", components) } };
    case "bytes":
    case "text":
      return Object.fromEntries(
        spec.mediaTypes.map((mediaType) => [
          mediaType,
          { schema: mediaType.endsWith("json") ? {} : { type: "string" } },
        ]),
      );
    case "empty":
      return undefined;
  }
}

function withoutContent(spec: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(spec).filter(([name]) => name !== "content"));
}
