import { findRequiredAuthority } from "./access-rule.ts";
import { addRecordAccessDeclarations } from "./add-record-access-declarations.ts";
import { describeProblems, type Endpoint } from "./endpoint.ts";

/**
 * Adds the error responses that follow from an endpoint's access, input and output. The endpoint's own descriptions take precedence, except for the
 * 429 of an endpoint that needs credentials.
 */
export function addProblemResponses(given: Endpoint): Endpoint {
  const endpoint = addRecordAccessDeclarations(given);
  const { access, body, method, produces, responses } = endpoint;
  const isOpen = access.kind === "public";
  return {
    ...endpoint,
    responses: {
      ...describeProblems({
        400: `A parameter${body === undefined ? " or header is unknown or wrong" : ", header or the body cannot be read"}${refusesIdempotencyKey(endpoint) ? ", or the request has an Idempotency-Key, which this endpoint does not support" : ""}.`,
        ...(isOpen ? {} : { 401: "Credentials are missing or wrong.", 503: "The database cannot be reached." }),
        ...(method === "GET" || isOpen ? {} : { 403: "The request comes from a page of another site." }),
        ...(findRequiredAuthority(access) !== undefined ? { 403: "The caller lacks the authority." } : {}),
        ...(access.kind === "report-type" ? { 403: "The caller lacks the authority of the type." } : {}),
        ...(produces.length === 0 ? {} : { 406: `Accept does not allow ${produces.join(" or ")}.` }),
        ...(body === undefined && method !== "POST"
          ? {}
          : {
              413: "The body is larger than 256 KiB.",
              415: "The body is compressed, or its media type is not supported.",
            }),
        ...(body === undefined && method === "POST" ? { 422: "The body is not empty." } : {}),
      }),
      ...responses,
      ...(isOpen ? {} : describeProblems({ 429: limitText })),
    },
  };
}

export function refusesIdempotencyKey({ method, headers = {} }: Pick<Endpoint, "method" | "headers">): boolean {
  return method === "POST" && !Object.hasOwn(headers, "Idempotency-Key");
}

const limitText = "A limit is reached, or too many logins from this address have failed; RateLimit says which one.";
