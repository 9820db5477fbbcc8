import { GatewayError, type GatewayErrorDetails } from "../errors.ts";
import type { Issue, Problem } from "../wire/generated/problem.ts";
import { readBodyChunks } from "./body-chunks.ts";

/** Returns the error that a response describes. Rejects with a GatewayError if the body is not JSON or breaks off. */
export async function readGatewayError(response: Response): Promise<GatewayError> {
  // Limits the body to 100,000 characters. A problem of the gateway is shorter, but another server may send an endless body.
  const { code, detail, errors } = (await readJsonResponse<Partial<Problem> | null>(response, 100_000)) ?? {};
  return typeof code === "string" && typeof detail === "string"
    ? createGatewayError(response, { code, detail, issues: selectValidIssues(errors) })
    : unexpectedResponseError(response);
}

/** Parses a response as JSON. Above about `maxLength` characters, stops reading and rejects. */
export async function readJsonResponse<T>(response: Response, maxLength = Infinity): Promise<T> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of readBodyChunks(response)) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > maxLength) break;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw unexpectedResponseError(response);
  }
}

/** Returns the JSON of a response, which is null for a 304, and its headers. */
export async function readJsonAndHeaders<T>(response: Response): Promise<readonly [T, Headers]> {
  return [response.status === 304 ? (null as T) : await readJsonResponse<T>(response), response.headers];
}

export async function discardResponseBody({ body }: Response): Promise<void> {
  await body?.cancel();
}

/** Returns the seconds of `Retry-After` (RFC 9110 §10.2.3). Compares a date with the response's `Date`, because this clock may be wrong. */
export function parseRetryAfterSeconds(headers: Headers): number | null {
  const value = headers.get("Retry-After") ?? "";
  const sentAt = Date.parse(headers.get("Date") ?? "") || Date.now();
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - sentAt) / 1000);
  // `seconds` is NaN if `Retry-After` is neither a number nor a date.
  return seconds >= 0 ? seconds : seconds < 0 ? 0 : null;
}

export function unexpectedResponseError(response: Response): GatewayError {
  return createGatewayError(response, {
    code: "unexpected-answer",
    detail: "Another server, a proxy or a login page answered.",
  });
}

function createGatewayError(
  { status, headers }: Response,
  problem: Pick<GatewayErrorDetails, "code" | "detail" | "issues">,
): GatewayError {
  const requestId = headers.get("X-Request-Id");
  return new GatewayError({ ...problem, status, requestId, retryAfterSeconds: parseRetryAfterSeconds(headers) });
}

/** Returns only valid issues, because the problem of another server may have any value in `errors`. */
function selectValidIssues(errors: unknown): readonly Issue[] {
  return [errors].flat().filter((one): one is Issue => typeof (one as Partial<Issue> | null)?.message === "string");
}
