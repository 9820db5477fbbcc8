type HeaderSchema = Readonly<Record<string, unknown>>;

/** Schema of `*`, or of a comma-separated list of entity tags with optional empty elements. RFC 9110 §5.6.1.2, §8.8.3. */
const entityTagsSchema: HeaderSchema = {
  type: "string",
  pattern: String.raw`^(\*|[ \t]*((W/)?"[!#-~]*"[ \t]*)?(,[ \t]*((W/)?"[!#-~]*"[ \t]*)?)*)$`,
  examples: ['"r1"', "*"],
};

const secondsSchema: HeaderSchema = { type: "integer", minimum: 0 };
const countSchema: HeaderSchema = { type: "integer", minimum: 0 };

const schemaByHeader: Readonly<Record<string, HeaderSchema>> = {
  "If-Match": entityTagsSchema,
  "If-None-Match": entityTagsSchema,
  "Idempotency-Key": {
    type: "string",
    pattern: "^[A-Za-z0-9._~:/+=-]+$",
    minLength: 1,
    maxLength: 255,
    examples: ["8e03978e-40d5-43e8-bc93-6894a57f9324"],
  },
  "Retry-After": secondsSchema,
  "X-Total-Count": countSchema,
  "X-Total-Count-At-Least": countSchema,
};

export function headerSchemaOf(name: string): HeaderSchema {
  return schemaByHeader[name] ?? { type: "string" };
}

export const headersOfAllResponses = {
  "X-Request-Id": "Names this request in the logs.",
  Vary: "Request headers that the response depends on.",
};

export const headersOfRateLimitedResponses = {
  RateLimit: "The remaining requests of the limits that the request counts towards.",
  "RateLimit-Policy": "The limits that the request counts towards.",
};

export const headersOfStatus: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { "WWW-Authenticate": "Both schemes." },
  416: { "Content-Range": "How many bytes there are." },
  429: {
    "Retry-After": "Seconds to wait.",
    RateLimit: "The remaining requests of the limit that is reached.",
    "RateLimit-Policy": "The limit that is reached.",
  },
  503: { "Retry-After": "Seconds to wait." },
};
