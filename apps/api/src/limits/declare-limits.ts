import { problems } from "../endpoint/endpoint.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";

/** Says of every endpoint that needs credentials that its limits can be reached. */
export function declareLimits(endpoint: Endpoint): Endpoint {
  if (endpoint.access.kind === "public") return endpoint;
  const description = "A limit is reached, or too many logins from here have failed; RateLimit says which one.";
  return { ...endpoint, responses: { ...endpoint.responses, ...problems({ 429: description }) } };
}
