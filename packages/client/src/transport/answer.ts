import { GatewayError } from "../errors.ts";
import type { Issue, Problem } from "../wire/problem.ts";

/** The failure that an answer tells of. Reads its body. */
export async function errorOf(response: Response): Promise<GatewayError> {
  const { status, headers } = response;
  const known = { status, requestId: headers.get("X-Request-Id"), retryAfterSeconds: retryAfterOf(headers) };
  const problem = problemIn(await textOf(response));
  return problem === null
    ? unexpected(response)
    : new GatewayError({ ...known, code: problem.code, detail: problem.detail, issues: issuesIn(problem.errors) });
}

/** The JSON of an answer. */
export async function jsonOf<T>(response: Response): Promise<T> {
  const text = await textOf(response);
  try {
    return JSON.parse(text) as T;
  } catch {
    throw unexpected(response);
  }
}

/** Leaves the body of an answer unread. */
export async function discard({ body }: Response): Promise<void> {
  await body?.cancel();
}

/** Nobody answered, or the answer broke off. */
export function unreachable(detail: string, cause?: unknown): GatewayError {
  return new GatewayError({ status: 0, code: "unreachable", detail }, { cause });
}

/** Seconds, as a number or until a date. RFC 9110 §10.2.3. */
export function retryAfterOf(headers: Headers): number | null {
  const value = headers.get("Retry-After");
  if (value === null) return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw unreachable("The gateway's answer broke off.", cause);
  }
}

/** Whoever answers so is not the gateway. */
export function unexpected({ status, headers }: Response): GatewayError {
  return new GatewayError({
    status,
    code: "unexpected-answer",
    detail: "The answer is not the gateway's: another server answers there, or a proxy in front of it.",
    requestId: headers.get("X-Request-Id"),
    retryAfterSeconds: retryAfterOf(headers),
  });
}

function problemIn(text: string): Problem | null {
  try {
    const value = JSON.parse(text) as Partial<Problem> | null;
    return typeof value?.code === "string" && typeof value.detail === "string" ? (value as Problem) : null;
  } catch {
    return null;
  }
}

/** Another server's problems may hold something else under this name. */
function issuesIn(errors: unknown): readonly Issue[] {
  const all: readonly unknown[] = Array.isArray(errors) ? errors : [];
  return all.filter((one): one is Issue => typeof (one as Partial<Issue> | null)?.message === "string");
}
