import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { securityHeaders } from "../middleware/security-headers.ts";
import { buildOpenApiDocument } from "../openapi/openapi-document.ts";
import { readRateLimits } from "./read-rate-limits.ts";

/** Replaces the status of a response that the OpenAPI document does not allow. No test expects this status. */
const undocumentedStatus = 599;

/**
 * Wraps a listener so that every JSON response is checked against the OpenAPI document of the endpoints, and its RateLimit headers against
 * their Internet-Draft. A wrong response arrives as a 599 whose body contains the reason.
 * @param sources report types and collections that determine the schemas. Listeners with equal sources share compiled schemas.
 */
export function createValidatingListener(
  listener: RequestListener,
  endpoints: readonly Endpoint[],
  sources: readonly unknown[],
): RequestListener {
  const { document, ajv, findSchema } = getValidator(endpoints, sources);
  const declared = new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));
  const templates = [...new Set(endpoints.map(({ path }) => path))]
    // Paths with fewer parameters come first, so that a fixed segment takes precedence over a parameter.
    .toSorted((a, b) => a.split("{").length - b.split("{").length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));
  const templatesByLength = Map.groupBy(templates, ({ path }) => path.split("/").length);

  function findMismatch(request: IncomingMessage, response: ServerResponse, body: string): string | null {
    const mediaType = String(response.getHeader("content-type") ?? "").split(";")[0]!;
    if (!mediaType.endsWith("json")) return null;
    const path = request.url!.split("?")[0]!;
    const template = templatesByLength.get(path.split("/").length)?.find(({ pattern }) => pattern.test(path))?.path;
    const method = request.method === "HEAD" ? "GET" : request.method!.toUpperCase();
    const endpoint = declared.get(`${method} ${template}`);
    const status = endpoint?.responses[response.statusCode] === undefined ? "default" : String(response.statusCode);
    const pointer =
      endpoint === undefined
        ? ["components", "schemas", "Problem"]
        : ["paths", endpoint.path, method.toLowerCase(), "responses", status, "content", mediaType, "schema"];
    // The document describes only the headers that all problems share, so other headers of a problem are not checked.
    const undescribed =
      endpoint === undefined || response.statusCode >= 400
        ? []
        : findUndescribedHeaders(response, document, [...pointer.slice(0, 5), "headers"]);
    if (undescribed.length > 0) return `${pointer.slice(1, 5).join(" ")} does not describe ${undescribed.join(", ")}.`;
    const validate = findSchema(pointer);
    if (validate === undefined) return `${pointer.join(" ")} is not in the document.`;
    return validate(JSON.parse(body)) ? null : `${pointer.join(" ")}: ${ajv.errorsText(validate.errors)}`;
  }

  return (request, response) => {
    const end = response.end.bind(response) as (chunk?: unknown, ...rest: unknown[]) => ServerResponse;
    response.end = ((chunk?: unknown, ...rest: unknown[]) => {
      if (response.headersSent || (typeof chunk !== "string" && !Buffer.isBuffer(chunk))) return end(chunk, ...rest);
      const fault = findHeaderError(response) ?? findMismatch(request, response, decompress(response, chunk));
      if (fault === null) return end(chunk, ...rest);
      response.statusCode = undocumentedStatus;
      response.removeHeader("content-length");
      return end(JSON.stringify({ fault }));
    }) as ServerResponse["end"];
    listener(request, response);
  };
}

const httpHeaders = new Set([
  "content-type",
  "content-length",
  "content-encoding",
  "connection",
  "retry-after",
  "allow",
]);
const headersOfEveryResponse = new Set([
  ...httpHeaders,
  ...Object.keys(securityHeaders).map((name) => name.toLowerCase()),
]);

function findUndescribedHeaders(
  response: ServerResponse,
  document: unknown,
  path: readonly string[],
): readonly string[] {
  const names = new Set(Object.keys(valueAt(document, path) as object).map((name) => name.toLowerCase()));
  return response
    .getHeaderNames()
    .filter((name) => !names.has(name) && !headersOfEveryResponse.has(name) && !name.startsWith("access-control-"));
}

interface Validator {
  /** The schemas depend only on these values: the sources, and the names and statuses of the endpoints. */
  readonly from: readonly unknown[];
  readonly document: object;
  readonly ajv: Ajv2020;
  /** Returns the compiled schema to which the parts of a JSON pointer lead. */
  readonly findSchema: (pointer: readonly string[]) => ValidateFunction | undefined;
}

/** Cache of compiled schemas, the most recently used last. Compiling takes longer than most tests, so API instances with the same endpoints share them. */
const validators: Validator[] = [];
/** A validator takes several megabytes, and a large test process starts its child processes slowly (docs/decisions/0085-what-only-ci-tests.md). */
const maxValidators = 4;

function getValidator(endpoints: readonly Endpoint[], sources: readonly unknown[]): Validator {
  const responses = endpoints.map(({ operationId, responses }) => [operationId, ...Object.keys(responses)]);
  const from = [...sources, JSON.stringify(responses)];
  const place = validators.findIndex((one) => one.from.every((each, index) => each === from[index]));
  const [known] = place === -1 ? [] : validators.splice(place, 1);
  const validator = known ?? compileValidator(endpoints, from);
  validators.push(validator);
  if (validators.length > maxValidators) validators.shift();
  return validator;
}

function compileValidator(endpoints: readonly Endpoint[], from: readonly unknown[]): Validator {
  const document = buildOpenApiDocument(endpoints, { basePath: "", version: "1", answers: "closed" });
  // Compiling takes most of the processor time, so no schema is copied into those that refer to it, and their code is not optimized.
  const options = {
    strict: false,
    logger: false,
    allErrors: true,
    inlineRefs: false,
    code: { optimize: false },
  } as const;
  const ajv = new Ajv2020(options);
  formats.default(ajv);
  ajv.addSchema(document, "openapi");
  /** Compiled schemas by their place and by their text. The refusals of all endpoints have the same few schemas. */
  const compiled = new Map<string, ValidateFunction | undefined>();
  return {
    from,
    document,
    ajv,
    findSchema(pointer) {
      const place = `openapi#/${pointer.map(escapePointerPart).join("/")}`;
      const known = compiled.get(place);
      if (known !== undefined) return known;
      const schema = JSON.stringify(valueAt(document, pointer));
      const validate = compiled.get(schema) ?? ajv.getSchema(place);
      for (const key of [place, schema]) compiled.set(key, validate);
      return validate;
    },
  };
}

function valueAt(document: unknown, pointer: readonly string[]): unknown {
  return pointer.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
}

function decompress(response: ServerResponse, chunk: string | Buffer): string {
  const coding = response.getHeader("content-encoding");
  if (coding === "gzip") return gunzipSync(chunk).toString();
  return (coding === "zstd" ? zstdDecompressSync(chunk) : chunk).toString();
}

function findHeaderError(response: ServerResponse): string | null {
  const fields = Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [
      name,
      value === undefined ? undefined : String(value),
    ]),
  );
  try {
    const limits = readRateLimits(fields);
    if (response.statusCode !== 429) return null;
    if (limits.length === 0) return "A 429 does not say which limit is reached.";
    const retryAfter = Number(fields["retry-after"]);
    if (!Number.isInteger(retryAfter) || retryAfter < 1) return "A 429 has no Retry-After.";
    return limits.every(({ resetSeconds }) => (resetSeconds ?? 0) <= retryAfter) ? null : "Retry-After is too early.";
  } catch (error) {
    return String(error);
  }
}

function escapePointerPart(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}
