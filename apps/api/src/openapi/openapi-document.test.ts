import { mediaTypeOf, toSchemaNamePrefix } from "@reports/core/report";
import { problemCodes } from "@reports/core/wire";
import { isUuidV7, newId } from "@reports/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";
import { loadTestReportTypes } from "../test/loaded-types.ts";
import { toJsonSchema, type OpenApiComponents } from "./json-schema.ts";
import { buildOpenApiDocument } from "./openapi-document.ts";

interface Described {
  readonly paths: Record<string, Record<string, DescribedOperation>>;
}
interface DescribedOperation {
  readonly security?: readonly unknown[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown; readonly schema: Schema }> };
  readonly responses: Record<
    string,
    { readonly content?: Record<string, unknown>; readonly links?: Record<string, unknown> }
  >;
}

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest({ reportTypes: await loadTestReportTypes() });
});
afterAll(async () => api[Symbol.asyncDispose]());

interface Schema {
  readonly type?: string | readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema & { readonly readOnly?: boolean }>>;
  readonly $ref?: string;
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
}

function documentOf(answers: "open" | "closed") {
  const { paths, components } = buildOpenApiDocument(api.endpoints, { basePath: "", version: "1", answers });
  return { paths: paths as Described["paths"], schemas: (components as { schemas: Record<string, Schema> }).schemas };
}

test("OpenAPI links the response of each POST to all operations on the new record", async () => {
  const { paths } = documentOf("open");
  expect(paths["/v1/proxies"]!["post"]!.responses["201"]!.links).toEqual(
    Object.fromEntries(
      ["readProxy", "replaceProxy", "patchProxy", "deleteProxy"].map((operationId) => [
        operationId,
        { operationId, parameters: { id: "$response.body#/id" } },
      ]),
    ),
  );
  expect(paths["/v1/proxies/{id}/domains"]!["post"]!.responses["201"]!.links).toHaveProperty("readProxyDomain", {
    operationId: "readProxyDomain",
    parameters: { id: "$request.path.id", domainId: "$response.body#/id" },
  });
  expect(paths["/v1/reports"]!["post"]!.responses["202"]!.links).toHaveProperty("patchReport");
});

test("OpenAPI has an example per body, problems as errors, and few public endpoints", async () => {
  const { paths } = documentOf("open");
  for (const endpoint of api.endpoints) {
    const operation = paths[endpoint.path]![endpoint.method.toLowerCase()]!;
    for (const { example } of Object.values(operation.requestBody?.content ?? {})) expect(example).toBeDefined();
    for (const [status, { content }] of Object.entries(operation.responses).filter(([status]) => Number(status) >= 400))
      expect([endpoint.operationId, status, Object.keys(content!)]).toEqual([
        endpoint.operationId,
        status,
        ["application/problem+json"],
      ]);
    expect(operation.security?.length === 0).toBe(endpoint.access.kind === "public");
  }
});

test("published response schemas allow unknown fields, and request schemas do not", () => {
  const open = documentOf("open").schemas;
  const answers = [
    "Proxy",
    "Domain",
    "Report",
    "ReportFile",
    "ReportOptions",
    "ReportType",
    "Problem",
    "Issue",
    "Token",
  ];
  const inputs = ["ProxyInput", "ProxyPatch", "DomainInput", "ReportPatch", "ProxyReportStart", "ProxySearchParam"];
  for (const name of answers) expect([name, open[name]!.additionalProperties]).toEqual([name, undefined]);
  for (const name of inputs) expect([name, open[name]!.additionalProperties]).toEqual([name, false]);
  const closed = documentOf("closed").schemas;
  for (const name of answers) expect([name, closed[name]!.additionalProperties]).toEqual([name, false]);
});

test("the schema of a report's PATCH contains all other fields as read-only", () => {
  const { schemas } = documentOf("open");
  const { title, status, ...others } = schemas["ReportPatch"]!.properties!;
  expect(Object.keys({ title, status, ...others }).sort()).toEqual(Object.keys(schemas["Report"]!.properties!).sort());
  expect(status).toMatchObject({ $ref: "#/components/schemas/ReportStatus" });
  for (const [name, field] of Object.entries(others)) expect([name, field]).toMatchObject([name, { readOnly: true }]);
});

test("every field of every OpenAPI component has a description", () => {
  const { schemas } = documentOf("open");
  const isDescribed = ({ description, $ref, anyOf }: Schema): boolean =>
    description !== undefined ||
    ($ref !== undefined && isDescribed(schemas[$ref.replace("#/components/schemas/", "")]!)) ||
    (anyOf ?? []).some(isDescribed);
  const undescribed = (name: string, { properties, items, anyOf, oneOf }: Schema): readonly string[] => [
    ...Object.entries(properties ?? {}).flatMap(([field, schema]) => [
      ...(isDescribed(schema) ? [] : [`${name}.${field}`]),
      ...undescribed(`${name}.${field}`, schema),
    ]),
    ...[...(items === undefined ? [] : [items]), ...(anyOf ?? []), ...(oneOf ?? [])].flatMap((inner) =>
      undescribed(name, inner),
    ),
  ];
  expect(Object.entries(schemas).flatMap(([name, schema]) => undescribed(name, schema))).toEqual([]);
  expect(Object.keys(schemas).length).toBeGreaterThan(20);
});

test("the documented patterns of IDs allow lower case only, as the API does", () => {
  const patterns = new Set<string>();
  JSON.stringify(documentOf("open"), (_key, value: unknown) => {
    const { format, pattern } = (value ?? {}) as Schema;
    if (format === "uuid" && pattern !== undefined) patterns.add(pattern);
    return value;
  });
  expect(patterns.size).toBeGreaterThan(0);
  for (const pattern of patterns) {
    for (const id of Array.from({ length: 32 }, newId)) {
      expect([pattern, new RegExp(pattern).test(id), isUuidV7(id)]).toEqual([pattern, true, true]);
      expect([pattern, new RegExp(pattern).test(id.toUpperCase())]).toEqual([pattern, false]);
    }
  }
});

test("the documented pattern of an ID accepts exactly the IDs that the API accepts", () => {
  const { pattern } = documentOf("open").schemas["ReportPatch"]!.properties!["id"]!;
  const id = newId();
  const likely = Array.from(id, (_, at) =>
    ["", "0", "4", "7", "8", "b", "c", "g", "A", "-"].map((other) => id.slice(0, at) + other + id.slice(at + 1)),
  ).flat();
  for (const text of [id, `${id}0`, ` ${id}`, ...likely])
    expect([text, new RegExp(pattern!).test(text)]).toEqual([text, isUuidV7(text)]);
});

test("OpenAPI contains each enum once, as a component to which other schemas refer", () => {
  const { paths, schemas } = documentOf("open");
  const seen: string[] = [];
  JSON.stringify({ paths, schemas }, (key, value: unknown) => {
    if (key === "enum" && Array.isArray(value) && value.length > 1) seen.push(JSON.stringify(value));
    return value;
  });
  const ofTypes = new Set([JSON.stringify(api.catalogue.list().map(({ type }) => type)), '["true","false"]']);
  const repeated = seen.filter((values, index) => seen.indexOf(values) < index && !ofTypes.has(values));
  expect(repeated).toEqual([]);
  expect(seen.length).toBeGreaterThan(20);
  expect(schemas["Proxy"]!.properties!["kind"]).toEqual({ $ref: "#/components/schemas/ProxyKind" });
  expect(schemas["ProblemCode"]!.enum).toEqual(problemCodes);
});

test("OpenAPI describes each type's start with its own filters, columns and sorts", () => {
  const { schemas } = documentOf("open");
  for (const definition of api.catalogue.list()) {
    const { filters, columns } = definition;
    const name = toSchemaNamePrefix(definition);
    expect(Object.keys(schemas[`${name}SearchParam`]!.properties!)).toEqual(filters.map((filter) => filter.name));
    expect(schemas[`${name}ReportColumn`]!.enum).toEqual(columns.map(({ key }) => key));
    expect(schemas[`${name}ReportSort`]!.enum).toContain(`-${columns[0]!.key}`);
  }
});

test("the schemas of bodies mark the fields that the server sets as read-only", () => {
  const { ProxyInput, DomainPatch } = documentOf("open").schemas;
  const marked = ({ properties = {} }: Schema) =>
    Object.entries(properties).flatMap(([field, { readOnly }]) => (readOnly === true ? [field] : []));
  expect(marked(ProxyInput!)).toEqual(["id", "createdAt", "updatedAt"]);
  expect(marked(DomainPatch!)).toEqual(["id", "proxyId", "hostnameAscii", "createdAt", "updatedAt"]);
});

test("OpenAPI documents downloads as binary files of every report format", () => {
  const { paths } = documentOf("open");
  for (const path of ["/v1/report/download", "/v1/reports/{id}/files/{fileId}"]) {
    const { content } = paths[path]!["get"]!.responses["200"]!;
    const extensions = ["pdf", "xlsx", "csv", "json", "ndjson", "gz", "zst"];
    const mediaTypes = extensions.map((extension) => mediaTypeOf(extension).split(";")[0]!);
    expect(new Set(Object.keys(content!))).toEqual(new Set(mediaTypes));
    for (const described of Object.values(content!))
      expect(described).toEqual({ schema: { type: "string", format: "binary" } });
  }
});

test("building the OpenAPI document fails if two schemas have the same ID", () => {
  const components = {};
  toJsonSchema(z.string().meta({ id: "Twice" }), "input", components);
  expect(() => toJsonSchema(z.number().meta({ id: "Twice" }), "input", components)).toThrow("the id Twice");
});

test("a cached schema adds its components to every document that uses it", () => {
  const inner = z.strictObject({ a: z.string() }).meta({ id: "Inner" });
  const schema = z.strictObject({ inner });
  const documents = [{}, {}] as [OpenApiComponents, OpenApiComponents];
  const [first, second] = documents.map((components) => toJsonSchema(schema, "output", components));
  expect(second).toEqual(first);
  expect(documents[0]).toMatchObject({ Inner: { type: "object" } });
  expect(documents[1]).toEqual(documents[0]);
  expect(first).not.toHaveProperty("additionalProperties");
  expect(toJsonSchema(schema, "closed-output", {})).toHaveProperty("additionalProperties", false);
});

test("no schema of a request body allows undocumented fields", () => {
  const { paths, schemas } = documentOf("open");
  const open: string[] = [];
  const seen = new Set<unknown>();
  const walk = (at: string, schema: Schema | boolean): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    if (typeof schema === "boolean" || Object.keys(schema).every((key) => key === "description")) {
      if (schema !== false) open.push(at);
      return;
    }
    const { $ref, properties = {}, additionalProperties, propertyNames, items, anyOf = [], oneOf = [] } = schema;
    if ($ref !== undefined) walk($ref, schemas[$ref.split("/").at(-1)!]!);
    const isObject = [schema.type].flat().includes("object");
    if (isObject && additionalProperties !== false && propertyNames === undefined) open.push(at);
    for (const [name, property] of Object.entries(properties)) walk(`${at}/${name}`, property);
    for (const part of [...anyOf, ...oneOf]) walk(at, part);
    if (items !== undefined) walk(`${at}/items`, items);
    if (typeof additionalProperties === "object") walk(`${at}/*`, additionalProperties);
  };
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { requestBody }] of Object.entries(operations))
      for (const { schema } of Object.values(requestBody?.content ?? {})) walk(`${method} ${path}`, schema);
  expect(seen.size).toBeGreaterThan(100);
  expect(open).toEqual([]);
});

async function objectsOfPublished(): Promise<readonly (readonly [place: string, value: Record<string, unknown>])[]> {
  const { body: document } = await api.anonymous().get("/openapi.json").expect(200);
  const objects: (readonly [string, Record<string, unknown>])[] = [];
  const walk = (place: string, value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value)) objects.push([place, value as Record<string, unknown>]);
    for (const [name, inner] of Object.entries(value)) walk(`${place}/${name}`, inner);
  };
  walk("", document);
  expect(objects.length).toBeGreaterThan(1_000);
  return objects;
}

test("the published document has no x- extensions, because they are generator-specific", async () => {
  const objects = await objectsOfPublished();
  // The keys of `content` are excluded: media types such as application/x-ndjson also contain `x-`.
  const names = objects.filter(([place]) => !place.endsWith("/content")).flatMap(([, value]) => Object.keys(value));
  expect(names.filter((name) => name.startsWith("x-"))).toEqual([]);
});

test("all alternatives in the published document are flat anyOf lists", async () => {
  const isTypeList = (type: unknown): boolean =>
    Array.isArray(type) && (type.length !== 2 || type[1] !== "null" || type[0] === "null" || type[0] === "object");
  const isNested = ({ anyOf }: Record<string, unknown>): boolean =>
    Array.isArray(anyOf) && anyOf.some((one: object) => "anyOf" in one || "oneOf" in one);
  const objects = await objectsOfPublished();
  const wrong = objects.filter(([, value]) => isTypeList(value["type"]) || isNested(value));
  expect(wrong.map(([place]) => place)).toEqual([]);
});

/** Headers that only browsers set: the forbidden request-headers of the Fetch Standard, and the older `Purpose`. */
const ofBrowsers = /^(?:sec-.*|proxy-.*|purpose|origin|referer|host|cookie.*|user-agent|accept-.*|access-control-.*)$/i;

test("headers that browsers add are not parameters, because clients cannot set them", async () => {
  const objects = await objectsOfPublished();
  const headers = objects.filter(([, value]) => value["in"] === "header").map(([, { name }]) => String(name));
  expect(headers).toContain("Idempotency-Key");
  expect(headers.filter((name) => ofBrowsers.test(name))).toEqual([]);
});
