import { CommandError } from "./command-error.ts";
import { exitCodes } from "./exit-code.ts";
import { safeText } from "./output/safe-text.ts";

/** Observes failures that the client retries without a message. */
export interface FailureWatch {
  readonly fetch: typeof fetch;
  /** Aborts with a CommandError if the service has been unavailable, or asks to wait, for longer than a person waits at a prompt. */
  readonly giveUp: AbortSignal;
}

interface ServiceFailure {
  readonly exitCode: number;
  readonly message: string;
  /** How long the service asks to wait before the next attempt. */
  readonly retryAfterSeconds: number;
}

/** The client gives up if the service is unavailable, or asks to wait, for longer than this. */
const maxOutageSeconds = 15;

/** Maximum size of an error body that is read. Problems of the service are smaller. */
export const maxErrorBytes = 65_536;

/** Prints one message when the service is down or refuses requests. `now` is a clock in milliseconds. `errorWithinMs` limits the time to read an error body. */
export function watchFailures(say: (line: string) => void, now: () => number, errorWithinMs = 5_000): FailureWatch {
  const giveUp = new AbortController();
  let since: number | null = null;
  const note = ({ exitCode, message, retryAfterSeconds }: ServiceFailure): void => {
    const isFirst = since === null;
    since ??= now();
    const isTooLong = now() - since + retryAfterSeconds * 1000 > maxOutageSeconds * 1000;
    if (isTooLong) giveUp.abort(new CommandError(exitCode, message));
    else if (isFirst) say(`${message} Trying again${formatWait(retryAfterSeconds)}; press Ctrl-C to stop.`);
  };
  return {
    giveUp: giveUp.signal,
    async fetch(...request) {
      try {
        const answer = await truncateError(await fetch(...request), errorWithinMs);
        // A refused start waits, and says so itself.
        if (isStart(request) && answer.status === 429) return answer;
        if (answer.status === 429 || answer.status >= 502) note(await readFailure(answer.clone()));
        else since = null;
        return answer;
      } catch (error) {
        if (request[1]?.signal?.aborted !== true) {
          const message = `The service cannot be reached${formatCause(error)}.`;
          note({ exitCode: exitCodes.unavailable, message, retryAfterSeconds: 0 });
        }
        throw error;
      }
    },
  };
}

/** Reports whether a request starts something and can be repeated. */
function isStart([, init]: Parameters<typeof fetch>): boolean {
  return new Headers(init?.headers).has("Idempotency-Key");
}

function formatWait(seconds: number): string {
  return seconds === 0 ? "" : ` in ${Math.ceil(seconds)} s`;
}

/** Replaces the body of an error response with its first bytes, because another server may send without end. */
async function truncateError(answer: Response, withinMs: number): Promise<Response> {
  const { status, statusText, headers } = answer;
  const body: ReadableStream<Uint8Array> | null = answer.body;
  if (answer.ok || status === 304 || body === null) return answer;
  const reader = body.getReader();
  const timer = setTimeout(() => void reader.cancel(), withinMs);
  const parts: Uint8Array[] = [];
  try {
    for (let size = 0; size < maxErrorBytes;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
    }
  } catch {
    // The part that has arrived is used.
  } finally {
    clearTimeout(timer);
    void reader.cancel().catch(() => undefined);
  }
  return new Response(Buffer.concat(parts).subarray(0, maxErrorBytes), { status, statusText, headers });
}

async function readFailure(answer: Response): Promise<ServiceFailure> {
  const problem = (await answer.json().catch(() => null)) as { readonly detail?: unknown } | null;
  const isRefusal = answer.status === 429;
  const otherwise = isRefusal ? "The service refuses requests for now." : "The service cannot answer now.";
  return {
    exitCode: isRefusal ? exitCodes.refused : exitCodes.unavailable,
    message: typeof problem?.detail === "string" ? safeText(problem.detail) : otherwise,
    retryAfterSeconds: readRetryAfter(answer.headers),
  };
}

/** Returns `Retry-After` in seconds (RFC 9110 §10.2.3), or 0 if it is unreadable. A date is compared with the response's own `Date`. */
function readRetryAfter(headers: Headers): number {
  const value = headers.get("Retry-After") ?? "";
  const now = Date.parse(headers.get("Date") ?? "") || Date.now();
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000;
  return Math.max(0, seconds || 0);
}

/** Returns the code of a failed connection in parentheses: ` (ECONNREFUSED)`. */
function formatCause(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? ` (${safeText(String(cause.code))})` : "";
}
