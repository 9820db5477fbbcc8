import { REPORTS_ADMIN, WEBHOOKS_WRITE } from "@reports/auth";
import { signToken, type Random, type StandProcess } from "@reports/testing";
import { tortureAuthority } from "../report-types.ts";
import type { ReportRequest } from "./variants.ts";

export interface SeenReport {
  readonly id: string;
  readonly status: string;
  readonly rowCount: number | null;
  readonly dataAsOf: string | null;
  readonly warnings: readonly unknown[];
  readonly file: { readonly id: string; readonly size: number; readonly sha256: string } | null;
}

/** A call that failed with 5xx, or without a response (status 0). */
export interface Trouble {
  readonly from: number;
  readonly to: number;
  readonly status: number;
  readonly what: string;
}

/** A well-behaved client: it repeats unanswered calls under the same key, and honours Retry-After. */
export interface Caller {
  /** Returns the id. Rejects if the start is refused for good, or not accepted within the patience. */
  start(request: ReportRequest, key: string): Promise<string>;
  /** One attempt, without a key: its title shows whether the report exists. Status 0 means no response. */
  startOnce(request: ReportRequest, title: string): Promise<{ readonly status: number; readonly id: string | null }>;
  /** Returns "deleted" for a 410, and null without a response. */
  look(reportType: string, id: string): Promise<SeenReport | "deleted" | null>;
  /** Reports whether the cancel was accepted; null without a response. */
  cancel(id: string): Promise<boolean | null>;
  remove(id: string): Promise<boolean | null>;
  download(reportType: string, id: string, signal?: AbortSignal): Promise<Response>;
  /** One call as this subject; null without a response. */
  ask(method: string, path: string, subject: string, init?: RequestInit): Promise<Response | null>;
  /** Repeats a POST under its key until it is accepted; null if it is refused for good. Rejects after the patience. */
  insist(path: string, body: unknown, key: string): Promise<string | null>;
  /** Responses by status; 0 means a broken connection or a timeout. */
  readonly answers: ReadonlyMap<number, number>;
  readonly troubles: readonly Trouble[];
}

const callTimeoutMs = 15_000;
const patienceMs = 180_000;
/** Longer than any deadline of the API, so that the API gives up first. */
const onceTimeoutMs = 90_000;

/** Each call goes to a random API instance, as behind a balancer without health checks. */
export function createCaller(
  stand: { readonly apis: readonly StandProcess[]; readonly jwtSecret: string },
  random: Random,
): Caller {
  const answers = new Map<number, number>();
  const troubles: Trouble[] = [];

  async function call(method: string, path: string, subject: string, init: RequestInit = {}): Promise<Response | null> {
    const { origin } = random.pick(stand.apis);
    const from = Date.now();
    let answer: Response | null = null;
    try {
      answer = await fetch(`${origin}${path}`, {
        ...init,
        method,
        headers: { authorization: `Bearer ${tokenOf(subject, stand.jwtSecret)}`, ...init.headers },
        signal: init.signal ?? AbortSignal.timeout(callTimeoutMs),
      });
    } catch {
      // Counted as 0: killed, cut or black-holed.
    }
    const status = answer?.status ?? 0;
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (status === 0 || status >= 500) troubles.push({ from, to: Date.now(), status, what: `${method} ${path}` });
    return answer;
  }

  async function change(method: string, id: string, init: RequestInit = {}): Promise<boolean | null> {
    const answer = await call(method, `/v1/reports/${id}`, "admin", init);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer === null || answer.status >= 500 || answer.status === 429) return null;
    return answer.ok;
  }

  return {
    answers,
    troubles,
    ask: call,
    async insist(path, body, key) {
      const headers = {
        "content-type": "application/json",
        // Schedules take no key: a repeat after a lost response creates a second one.
        ...(path.startsWith("/v1/reports/") ? { "idempotency-key": key } : {}),
      };
      for (const endsAt = Date.now() + patienceMs; ;) {
        const answer = await call("POST", path, `caller-${key}`, { headers, body: JSON.stringify(body) });
        const text = await answer?.text().catch(() => null);
        if (answer?.ok === true && text) return text;
        if (answer !== null && answer.status >= 400 && answer.status < 500 && answer.status !== 429) return null;
        if (Date.now() > endsAt) throw new Error(`${path} was not taken within ${patienceMs / 1000} s.`);
        await pause(answer?.headers.get("retry-after"));
      }
    },
    async start(request, key) {
      const endsAt = Date.now() + patienceMs;
      const literal = random.chance(0.5) && request.searchParam === undefined;
      const { reportType, ...options } = request;
      const query = new URLSearchParams({ reportType, ...textsOf(options) });
      const headers = { "content-type": "application/json", "idempotency-key": key };
      for (;;) {
        const answer = literal
          ? await call("GET", `/v1/report?${query.toString()}`, `caller-${key}`, {
              headers: { "idempotency-key": key },
            })
          : await call("POST", "/v1/reports", `caller-${key}`, { headers, body: JSON.stringify(request) });
        const text = await answer?.text().catch(() => null);
        // A truncated response counts as none.
        if (answer?.status === 202 && text) return (JSON.parse(text) as SeenReport).id;
        if (answer !== null && answer.status < 500 && answer.status !== 429 && answer.status !== 202) {
          throw new Error(`Starting ${key} was refused with ${answer.status}: ${text}`);
        }
        if (Date.now() > endsAt) throw new Error(`Starting ${key} was not taken within ${patienceMs / 1000} s.`);
        await pause(answer?.headers.get("retry-after"));
      }
    },
    async startOnce(request, title) {
      const answer = await call("POST", "/v1/reports", `caller-${title}`, {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...request, title }),
        signal: AbortSignal.timeout(onceTimeoutMs),
      });
      const text = await answer?.text().catch(() => null);
      if (answer === null || text === null || text === undefined) return { status: 0, id: null };
      return { status: answer.status, id: answer.status === 202 ? (JSON.parse(text) as SeenReport).id : null };
    },
    async look(_reportType, id) {
      const answer = await call("GET", `/v1/reports/${id}`, "admin");
      const text = await answer?.text().catch(() => null);
      if (answer?.status === 410) return "deleted";
      if (answer?.status === 404) throw new Error(`The acknowledged report ${id} is answered with 404.`);
      return answer?.status === 200 && text ? (JSON.parse(text) as SeenReport) : null;
    },
    cancel: async (id) =>
      change("PATCH", id, {
        headers: { "content-type": "application/merge-patch+json" },
        body: '{"status":"CANCELLED"}',
      }),
    remove: async (id) => change("DELETE", id),
    async download(reportType, id, signal) {
      const init = signal === undefined ? {} : { signal };
      const answer = await call("GET", `/v1/report/download?reportType=${reportType}&id=${id}`, "admin", init);
      if (answer === null) throw new Error(`The download of ${id} got no answer.`);
      return answer;
    },
  };
}

function textsOf(options: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : String(value)]),
  );
}

async function pause(retryAfter: string | null | undefined): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(Number(retryAfter ?? 1) || 1, 5) * 1000));
}

export const otherAdmin = "other-admin";
const admins: ReadonlySet<string> = new Set(["admin", otherAdmin]);

/** Returns a bearer token with all authorities for reports, and these in addition. `admin` may change the reports of others. */
export function tokenOf(subject: string, secret: string, additional: readonly string[] = []): string {
  const own = admins.has(subject) ? [REPORTS_ADMIN, WEBHOOKS_WRITE] : [];
  const authorities = ["REPORT_PROXY", "REPORT_PROXY_DOMAIN", tortureAuthority, ...additional, ...own];
  return signToken({ secret, subject, authorities });
}
