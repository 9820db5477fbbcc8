import { CommandError } from "./command-error.ts";
import { toSafeText } from "./output/to-safe-text.ts";

/** Wraps `fetch` to print failures, which the client retries without a message. */
export interface FailureWatch {
  readonly fetch: typeof fetch;
  /** Aborts with a CommandError when the service has been unavailable, or asks to wait, for more than 15 s. */
  readonly giveUp: AbortSignal;
}

interface ServiceFailure {
  readonly code: "refused" | "unavailable";
  readonly message: string;
  /** How long the service asks to wait before the next attempt. 0 if it does not say. */
  readonly retryAfterSeconds: number;
}

/** A person at a prompt does not wait longer than this for a service that is unavailable. */
const maxOutageSeconds = 15;

/** Limit in bytes of an error body. Problems of the service are smaller, but another server may send without end. */
export const maxErrorBodyBytes = 65_536;

/** Prints one message when the service becomes unavailable or refuses requests. `now` is in ms. Reads an error body for at most `errorWithinMs`. */
export function watchFailures(say: (line: string) => void, now: () => number, errorWithinMs = 5_000): FailureWatch {
  const giveUp = new AbortController();
  let since: number | null = null;
  const note = ({ code, message, retryAfterSeconds }: ServiceFailure): void => {
    const isFirst = since === null;
    since ??= now();
    const isTooLong = now() - since + retryAfterSeconds * 1000 > maxOutageSeconds * 1000;
    if (isTooLong) giveUp.abort(new CommandError(code, message));
    else if (isFirst) say(`${message} Trying again${formatWait(retryAfterSeconds)}; press Ctrl-C to stop.`);
  };
  return {
    giveUp: giveUp.signal,
    async fetch(...request) {
      try {
        const answer = await truncateError(await fetch(...request), errorWithinMs);
        // `watchRetries` prints a message while a limit refuses a start, so this function prints none.
        if (isStart(request) && answer.status === 429) return answer;
        if (answer.status === 429 || answer.status >= 502) note(await readFailure(answer.clone()));
        else since = null;
        return answer;
      } catch (error) {
        if (request[1]?.signal?.aborted !== true) {
          const message = `The service cannot be reached${formatCause(error)}.`;
          note({ code: "unavailable", message, retryAfterSeconds: 0 });
        }
        throw error;
      }
    },
  };
}

/** Reports whether a request is a start. Only starts have the header `Idempotency-Key`. */
function isStart([, init]: Parameters<typeof fetch>): boolean {
  return new Headers(init?.headers).has("Idempotency-Key");
}

function formatWait(seconds: number): string {
  return seconds === 0 ? "" : ` in ${Math.ceil(seconds)} s`;
}

async function truncateError(answer: Response, withinMs: number): Promise<Response> {
  const { status, statusText, headers } = answer;
  const body: ReadableStream<Uint8Array> | null = answer.body;
  if (answer.ok || status === 304 || body === null) return answer;
  const reader = body.getReader();
  const timer = setTimeout(() => void reader.cancel(), withinMs);
  const parts: Uint8Array[] = [];
  try {
    for (let size = 0; size < maxErrorBodyBytes;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
    }
  } catch {
    // If reading the body fails, the error response contains the part that has arrived.
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return new Response(Buffer.concat(parts).subarray(0, maxErrorBodyBytes), { status, statusText, headers });
}

async function readFailure(answer: Response): Promise<ServiceFailure> {
  const problem = (await answer.json().catch(() => null)) as { readonly detail?: unknown } | null;
  const isRefusal = answer.status === 429;
  const otherwise = isRefusal ? "The service refuses requests for now." : "The service cannot answer now.";
  return {
    code: isRefusal ? "refused" : "unavailable",
    message: typeof problem?.detail === "string" ? toSafeText(problem.detail) : otherwise,
    retryAfterSeconds: readRetryAfter(answer.headers),
  };
}

/** Returns `Retry-After` in seconds, or 0 if it can't be read. A date counts from the response's `Date`, because the local clock may be wrong. */
function readRetryAfter(headers: Headers): number {
  const value = headers.get("Retry-After") ?? "";
  const now = Date.parse(headers.get("Date") ?? "") || Date.now();
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Math.max(0, seconds || 0);
}

function formatCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? ` (${toSafeText(String(cause.code))})` : "";
}
